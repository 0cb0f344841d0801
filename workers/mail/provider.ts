import type { Log } from '../../proto/process/log.ts';
import type { Clock } from '../../proto/values/time.ts';
import type { EgressAnswer, EgressClient } from '../egress/egress-client.ts';
import type { MailSettings } from './mail-settings.ts';
import type { Mail } from './message.ts';

/** What sending needs. */
export interface MailDeps {
  /** One that allows private addresses: relays live in private networks, and the settings are the operator's. */
  readonly egress: Pick<EgressClient, 'request' | 'connect'>;
  readonly clock: Clock;
  /** For one attempt as a whole. */
  readonly timeoutMs: number;
  /** Where the provider `console` writes. */
  readonly log: Pick<Log, 'info'>;
}

export interface SentMail {
  /** The provider's name for the mail; empty when it gave none. */
  readonly providerId: string;
}

/** A provider whose whole interface is one POST. */
export interface HttpProvider {
  readonly kind: 'http';
  /** The settings it cannot do without. */
  readonly needs: readonly (keyof MailSettings)[];
  /** What to post, and where. */
  request(mail: Mail, settings: MailSettings, clock: Clock): ProviderRequest | Promise<ProviderRequest>;
  /** The provider's name for the mail it accepted with this answer; empty when there is none. Throws MailError when it did not accept it after all. */
  accepted(answer: ProviderAnswer, mail: Mail): string;
  /** Whether this refusal passes, although its status says that the request is at fault. */
  isPassing?(answer: ProviderAnswer): boolean;
}

/** A provider that needs more than a POST, or less. */
export interface OwnWayProvider {
  readonly kind: 'own way';
  readonly needs: readonly (keyof MailSettings)[];
  /** Rejects with MailError. */
  send(deps: MailDeps, mail: Mail, settings: MailSettings): Promise<SentMail>;
}

export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProviderAnswer extends Pick<EgressAnswer, 'status' | 'headers'> {
  /** The body, as far as it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The text under `name`, empty when there is none. */
export function textIn(json: Readonly<Record<string, unknown>>, name: string): string {
  const value = json[name];
  return typeof value === 'string' ? value : '';
}
