import { fail } from '../../proto/errors/svc-error.ts';

/** What a request says about who it comes from, as it was sent. */
export interface PresentedCredentials {
  readonly authorization: string | null;
  readonly adminKey: string | null;
  /** One of the two was sent twice with different values. */
  readonly hasRivalCredentials: boolean;
}

/**
 * The one credential that was presented; empty for a guest. It is picked here and judged by the store, which alone knows
 * keys and sessions. The same credential in both headers is one credential.
 */
export function presentedCredential(presented: PresentedCredentials): string {
  const { authorization, adminKey } = presented;
  if (authorization === null && adminKey === null) return '';
  if (presented.hasRivalCredentials) return fail('ambiguous_credential');
  const bearer = authorization === null ? null : bearerToken(authorization);
  if (bearer === null) return credential(adminKey ?? '');
  if (adminKey !== null && adminKey !== bearer) return fail('ambiguous_credential');
  return bearer;
}

/** RFC 6750: `Bearer`, whatever its case, one or more spaces, and the token. */
function bearerToken(authorization: string): string {
  const isBearer = authorization.length > 7 && authorization.charCodeAt(6) === space && authorization.slice(0, 6).toLowerCase() === 'bearer';
  return isBearer ? credential(authorization.slice(7).trim()) : fail('invalid_credential');
}

/** An empty one is not a guest. Any text may be an admin key; control characters are in none, and longer ones are nobody's. */
function credential(value: string): string {
  return credentialPattern.test(value) ? value : fail('invalid_credential');
}

const credentialPattern = /^\P{Cc}{1,4096}$/u;
const space = 0x20;
