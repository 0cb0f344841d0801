import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { rootUsers } from '../../principal/root-users.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { beginSession } from '../sign-in.ts';
import { inTransaction } from '../transaction.ts';

/** Begins a session of an account for root, marked as such in the account's own list: answers `{token, record}`. Nobody becomes another root user. */
export async function impersonate(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const [collection = '', accountId = ''] = call.params;
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, collection);
    if (shape.collection.id === rootUsers.id) return fail('forbidden');
    const answer = await inTransaction(deps, shape, 'sessions.begin', (tx) =>
      beginSession(deps, tx, shape, call, { accountId, method: 'impersonation' }),
    );
    return answer ?? fail('record_not_found');
  });
}
