import { createHash } from 'node:crypto';
import type { Ids } from '../../../proto/values/ids.ts';
import { headerOf, type HttpCall } from '../../../proto/schema/http-call.ts';

const name = 'svc_oauth';
const lifetimeS = 600;

/** What a browser is known by from the start of a social login to its end; the one that it has already, so that several may be under way. */
export function browserSecret(call: HttpCall, ids: Pick<Ids, 'bytes'>): string {
  return presentedSecret(call) ?? ids.bytes(32).toString('base64url');
}

export function presentedSecret(call: HttpCall): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`).exec(headerOf(call, 'cookie'))?.[1];
}

export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Some providers come back by a form from their own site, which brings no cookie that is `Lax`; `None` needs TLS. */
export function cookieLine(secret: string, path: string, isSecure: boolean): string {
  return `${name}=${secret}; Path=${path}; Max-Age=${lifetimeS}; HttpOnly; ${isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax'}`;
}
