import type { HttpAnswer } from '../../../proto/schema/http-call.ts';

/** The codes of RFC 6749, 5.2, and RFC 8628, 3.5. */
export type OAuthErrorCode =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_request';

/** A refusal in the form that OAuth clients read. */
export function oauthRefusal(error: OAuthErrorCode, description: string): HttpAnswer {
  return { status: 400, body: JSON.stringify({ error, error_description: description }) };
}
