import * as oauth from 'oauth4webapi';
import { OAuthError, type OAuthReason } from './oauth-error.ts';

/** Does `work`, and tells what the library throws as why there is no profile. */
export async function withReason<Result>(who: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asOAuthError(who, error);
  }
}

/** A refusal of the token endpoint; `code` is as RFC 6749 section 5.2 has it, or one of GitHub's own. */
export function refusal(who: string, code: string): OAuthError {
  const reason = refusals.get(code) ?? 'misconfigured';
  // A code of any other form may be anything, an echo of ours included.
  return new OAuthError(reason, `${who} refuses the code: ${/^[a-z_]{1,64}$/.test(code) ? code : 'an unknown error'}.`);
}

const refusals: ReadonlyMap<string, OAuthReason> = new Map<string, OAuthReason>([
  ['invalid_grant', 'bad_code'],
  ['bad_verification_code', 'bad_code'],
  ['access_denied', 'denied'],
  // Microsoft: the person has to consent or to answer something first.
  ['interaction_required', 'denied'],
  ['consent_required', 'denied'],
  ['login_required', 'denied'],
  ['server_error', 'provider_unavailable'],
  ['temporarily_unavailable', 'provider_unavailable'],
]);

function asOAuthError(who: string, error: unknown): unknown {
  if (error instanceof OAuthError) return error;
  if (error instanceof oauth.ResponseBodyError) return error.status >= 500 ? unavailable(who, error.status) : refusal(who, error.error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return refusal(who, 'invalid_client');
  if (error instanceof oauth.UnsupportedOperationError)
    return new OAuthError('bad_token', `${who} sent a token of a form that is not taken.`, bare(error));
  if (error instanceof oauth.OperationProcessingError) return processingError(who, error);
  return error;
}

function processingError(who: string, error: oauth.OperationProcessingError): OAuthError {
  switch (error.code ?? '') {
    case oauth.RESPONSE_IS_NOT_CONFORM:
      return byStatus(who, error.cause instanceof Response ? error.cause.status : 0);
    case oauth.RESPONSE_IS_NOT_JSON:
      return new OAuthError('provider_unavailable', `${who} sent something that is not JSON.`, bare(error));
    case oauth.MISSING_SERVER_METADATA:
    case oauth.INVALID_SERVER_METADATA:
      return new OAuthError('misconfigured', `${who} lacks an endpoint that is needed.`, bare(error));
    default:
      return new OAuthError('bad_token', `${who} sent a token that is not valid.`, bare(error));
  }
}

/** What an answer that is neither a success nor a refusal comes to. */
export function byStatus(who: string, status: number): OAuthError {
  const isPassing = status >= 500 || status === 408 || status === 429;
  return isPassing ? unavailable(who, status) : new OAuthError('misconfigured', `${who} answers ${status}.`);
}

function unavailable(who: string, status: number): OAuthError {
  return new OAuthError('provider_unavailable', `${who} answers ${status}.`);
}

/** The library hangs tokens and whole answers on its errors; its own words say what was wrong without them. */
function bare(error: { readonly code?: string | undefined; readonly message: string }): Error {
  return new Error(`${error.code ?? 'no code'}: ${error.message}`);
}
