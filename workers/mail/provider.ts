import type { Log } from '../../proto/process/log.ts';
import type { Mail, MailSettings } from './message.ts';

export interface MailDeps {
  readonly log: Pick<Log, 'info'>;
}

/** A way to send mail. */
export interface MailProvider {
  /** False: mail may be without a sender. */
  readonly needsSender: boolean;
  /** Sends a mail whose header is sound; answers the id that the provider gave it. Fails with a MailError. */
  send(deps: MailDeps, mail: Mail, settings: MailSettings, signal: AbortSignal): Promise<string>;
}
