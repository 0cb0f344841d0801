import type { Provider } from './provider.ts';

/** What a provider vouches for. */
export interface Profile {
  /** The provider's name, not its kind. */
  readonly provider: string;
  /** The provider's own id of the account: stable, unlike names and addresses, and never an e-mail address. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider says that the address belongs to this account; false without an address. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly username: string | null;
  readonly avatarUrl: string | null;
  /** What the provider said, as the text of a JSON object: numbers keep their digits, members that would make it too long are left out. */
  readonly raw: string;
}

/** What a provider's own words come to, before anything is believed of them but the subject. */
export interface ProfileFacts {
  readonly subject: string;
  readonly email: unknown;
  readonly isEmailVerified: boolean;
  readonly name: unknown;
  readonly username: unknown;
  readonly avatarUrl: unknown;
}

/** A profile whose every part has the form and the size that it should have; what has not is left out. */
export function profileOf(provider: Provider, facts: ProfileFacts, members: ReadonlyMap<string, string>): Profile {
  const email = emailOf(facts.email);
  return {
    provider: provider.name,
    subject: facts.subject,
    email,
    isEmailVerified: email !== null && facts.isEmailVerified,
    name: textOf(facts.name, nameCharactersMax),
    username: textOf(facts.username, nameCharactersMax),
    avatarUrl: webAddressOf(facts.avatarUrl),
    raw: boundedObject(members),
  };
}

/** OpenID Connect Core section 2: a subject has at most 255 characters. */
export const subjectCharactersMax = 255;

/** RFC 5321 section 4.5.3.1.3, without the angle brackets. */
const emailCharactersMax = 254;
const nameCharactersMax = 255;
const addressCharactersMax = 2048;
const rawCharactersMax = 16_384;

function emailOf(value: unknown): string | null {
  const text = textOf(value, emailCharactersMax);
  return text !== null && /^[^\s@]+@[^\s@]+$/.test(text) ? text : null;
}

function webAddressOf(value: unknown): string | null {
  const text = textOf(value, addressCharactersMax);
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
}

function textOf(value: unknown, charactersMax: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text !== '' && text.length <= charactersMax ? text : null;
}

function boundedObject(members: ReadonlyMap<string, string>): string {
  const kept: string[] = [];
  let characters = '{}'.length;
  for (const [key, text] of members) {
    const member = `${JSON.stringify(key)}:${text}`;
    if (characters + member.length + 1 > rawCharactersMax) continue;
    kept.push(member);
    characters += member.length + 1;
  }
  return `{${kept.join(',')}}`;
}
