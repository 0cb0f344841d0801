import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { RootSetup } from '../../../proto/schema/sign-in.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { rootUsers } from '../../principal/root-users.ts';
import { isAnyAccount } from '../../records/account/other-accounts.ts';
import { createIn } from '../../records/create.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import type { AuthDeps } from '../deps.ts';
import { lockInstallation } from '../keys/signing-keys.sql.ts';
import { guessLimits } from '../mail-limits.ts';
import { serviceWrite } from '../service-write.ts';
import { signIn } from '../sign-in.ts';
import { inTransaction } from '../transaction.ts';

const linkLifetimeS = 24 * 3_600;

/** Whether there is no root user yet. */
export async function showSetup(deps: AuthDeps): Promise<HttpAnswer> {
  return withRoot(deps, async ({ shape }) => {
    const isThere = await isAnyAccount((statement, values) => deps.records.database.query(statement, values), shape);
    return { status: 200, body: JSON.stringify({ needed: !isThere }) };
  });
}

/** A link by which whoever opens it makes the first root user, once, within a day; none where there is one already. */
export async function makeSetupLink(deps: AuthDeps): Promise<HttpAnswer> {
  return withRoot(deps, async ({ shape }) => {
    const token = await inTransaction(deps, shape, 'setup.link', async (tx) => {
      await requireNoRoot(tx, shape);
      return deps.proofs.issue(tx, { kind: 'setup', collectionId: shape.collection.id, record: null, email: null, lifetimeS: linkLifetimeS });
    });
    return { status: 201, body: JSON.stringify({ url: await deps.mailer.actionUrl('setup', { token }) }) };
  });
}

/** Makes the first root user, for whom the link or the admin key speaks, and signs it in: answers `{token, record}`. */
export async function setUp(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { token, ...account } = readBody(RootSetup, call.body);
  if (!isPrivileged(principal) && token === undefined) return fail(principal.kind === 'guest' ? 'unauthorized' : 'forbidden');
  await deps.records.attempts.require(guessLimits(call.clientAddress));
  const id = deps.records.ids.record();
  await withRoot(deps, ({ schema, shape }) =>
    inTransaction(deps, shape, 'setup.root', async (tx) => {
      await requireNoRoot(tx, shape);
      if (!isPrivileged(principal) && (await deps.proofs.redeem(tx, 'setup', token ?? '')) === undefined) return fail('bad_token');
      return createIn(deps.records, tx, schema, serviceWrite(deps.records, shape, { ...account, id, verified: true }));
    }),
  );
  const answer = await withRoot(deps, ({ shape }) =>
    inTransaction(deps, shape, 'sessions.begin', (tx) => signIn(deps, tx, shape, call, { accountId: id, method: 'password' })),
  );
  return answer ?? fail('write_conflict');
}

/** Who comes second waits for the first, and finds the root user there. */
async function requireNoRoot(tx: Transaction, shape: RecordShape): Promise<void> {
  await tx.execute(lockInstallation, []);
  if (await isAnyAccount((statement, values) => tx.execute(statement, values), shape)) fail('setup_done');
}

function withRoot<Result>(
  { records }: AuthDeps,
  work: (place: { readonly schema: Schema; readonly shape: RecordShape }) => Promise<Result>,
): Promise<Result> {
  return withSchema(records.catalogue, (schema) => work({ schema, shape: records.shapes.named(schema, rootUsers.name) }));
}
