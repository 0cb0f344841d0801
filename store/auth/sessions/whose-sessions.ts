import type { HttpCall } from '../../../proto/schema/http-call.ts';
import { fail } from '../../../proto/errors/svc-error.ts';
import type { Schema } from '../../collections/catalogue.ts';
import type { AccountKey } from '../../credentials/account-secrets.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { readParameters } from '../../records/parameters.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { ownSession } from './own-session.ts';

/** The account that a request about sessions means: the caller's own, or for root and the admin key the one of `record`. */
export function whoseSessions(deps: AuthDeps, schema: Schema, call: HttpCall, principal: Principal): AccountKey {
  const [collection = ''] = call.params;
  const record = readParameters(call.query).get('record');
  if (record === undefined) {
    const { collectionId, id } = ownSession(principal, collection);
    return { collectionId, id };
  }
  if (!isPrivileged(principal)) return fail(principal.kind === 'guest' ? 'unauthorized' : 'forbidden');
  return { collectionId: accountsOf(deps, schema, collection).collection.id, id: record };
}
