import { fail } from '../../../proto/errors/svc-error.ts';
import type { Principal, SignedIn } from '../../principal/principal.ts';

/** The session of the caller, who must have signed in at `collection`: 401 for guests, 403 for others. */
export function ownSession(principal: Principal, collection: string): SignedIn {
  if (principal.kind === 'guest') return fail('unauthorized');
  if (principal.kind === 'admin' || principal.collection.toLowerCase() !== collection.toLowerCase()) return fail('forbidden');
  return principal;
}
