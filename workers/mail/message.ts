/** A mail as it is sent: one recipient, plain text and HTML. */
export interface Mail {
  /** The same for every attempt at the same mail. */
  readonly id: string;
  readonly to: string;
  readonly from: { readonly address: string; readonly name: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** By whom mail is sent; members that a provider does not need are empty. */
export interface MailSettings {
  readonly provider: string | null;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly domain: string;
  readonly region: string;
  readonly endpoint: string;
}

/** What kept a mail from being sent, in a sentence without secrets. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly retry: 'later' | 'never';
  /** Seconds that the provider asked for; 0: none. */
  readonly retryAfterS: number;

  constructor(message: string, retry: 'later' | 'never', retryAfterS = 0, cause?: unknown) {
    super(message, { cause });
    this.retry = retry;
    this.retryAfterS = retryAfterS;
  }
}

/** Fails unless the mail's header can be written: a line break in it would begin another header (RFC 5322, 2.2). */
export function requireSoundHeader({ to, from, subject }: Mail): void {
  if ([to, from.address, from.name, subject].some((value) => /[\r\n\0]/.test(value)))
    throw new MailError('The mail has a line break in its header.', 'never');
  if (!isAddress(to)) throw new MailError('The mail has no usable recipient.', 'never');
  if (!isAddress(from.address)) throw new MailError('Set the sender: mail.fromAddress of the settings, or EMAIL_FROM_ADDRESS.', 'never');
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/.test(text);
}
