/** A mail that was not sent, and whether sending the same mail with the same settings can help. The message holds no key. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly retry: Retry;
  /** The seconds that the provider asks to wait. */
  readonly retryAfterS?: number;

  constructor(retry: Retry, message: string, { retryAfterS, cause }: { readonly retryAfterS?: number; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.retry = retry;
    if (retryAfterS !== undefined) this.retryAfterS = retryAfterS;
  }
}

export type Retry = 'never' | 'later';
