/**
 * Why there is no profile:
 * `denied`: the person, or the provider on their behalf, said no. `bad_code`: the code is wrong, used, expired or not for us.
 * `bad_token`: what the provider says of the person cannot be believed. `provider_unavailable`: it does not answer, or not in time;
 * trying again may help. `misconfigured`: the provider's settings are wrong, and only who set it up can help.
 */
export type OAuthReason = 'denied' | 'bad_code' | 'bad_token' | 'provider_unavailable' | 'misconfigured';

/** A failed exchange. Neither message nor cause holds a secret, a code or a token: both may be logged, the message may be shown. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly reason: OAuthReason;

  constructor(reason: OAuthReason, message: string, cause?: Error) {
    super(message, { cause });
    this.reason = reason;
  }
}
