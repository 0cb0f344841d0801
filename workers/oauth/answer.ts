import { memberTexts, parseJson } from '../../proto/values/json.ts';
import { OAuthError } from './oauth-error.ts';
import { subjectCharactersMax } from './profile.ts';

/** A JSON object that a provider has sent. */
export interface Answer {
  readonly values: Claims;
  /** The text of each member, in which numbers have all their digits. */
  readonly members: ReadonlyMap<string, string>;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Reads an object; fails with `bad_token` where the bytes are none. */
export function answerOf(who: string, bytes: Uint8Array): Answer {
  const { text, value } = jsonOf(who, bytes);
  if (!isObject(value)) throw new OAuthError('bad_token', `${who} sent no JSON object where one was expected.`);
  return { values: value, members: memberTexts(text) };
}

/** Reads JSON; fails with `provider_unavailable` where it is none: a page of an error or of a captive network, mostly. */
export function jsonOf(who: string, bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    return parseJson(bytes);
  } catch {
    // What the parser says may quote what was sent.
    throw new OAuthError('provider_unavailable', `${who} sent something that is not JSON.`);
  }
}

/** The member that names the account, as text: ids are numbers at some providers and may have more digits than a double holds. */
export function subjectOf(who: string, { values, members }: Answer, key: string): string {
  const value = values[key];
  const text = typeof value === 'number' ? members.get(key) : value;
  const isId = typeof text === 'string' && (typeof value === 'string' || /^\d+$/.test(text));
  if (isId && text !== '' && text.length <= subjectCharactersMax) return text;
  throw new OAuthError('bad_token', `${who} does not say which account this is.`);
}

export function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
