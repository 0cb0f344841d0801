import { fail } from '../../../proto/errors/svc-error.ts';
import { FaultList, parseInto } from '../../../proto/schema/faults.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { PasswordSignIn } from '../../../proto/schema/sign-in.ts';
import { parseJson } from '../../../proto/values/json.ts';
import { passwordLimits } from '../../attempts/password-limits.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { replacePasswordHash } from '../../credentials/account-secrets.ts';
import { costOf, isPassword, overlongFault } from '../../credentials/passwords.ts';
import { readIdentity } from '../../records/account/identity.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { signIn } from '../sign-in.ts';

interface Given {
  readonly identity: string;
  readonly password: string;
  readonly requestId: string;
}

/**
 * Signs an account in: answers `{token, record}`. Whatever is wrong, the refusal is one and the same, and takes the same
 * work: it does not say which accounts there are.
 */
export async function signInWithPassword(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const given = readBody(call);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'password');
    // A sign-in at the same moment may put a hash of another cost in the place of the one that was proven; then once more.
    return (await attempt(deps, shape, call, given)) ?? (await attempt(deps, shape, call, given)) ?? fail('wrong_credentials');
  });
}

/** Undefined where the account has another password than a moment ago, or is gone. */
async function attempt(deps: AuthDeps, shape: RecordShape, call: HttpCall, given: Given): Promise<HttpAnswer | undefined> {
  const { hashing, attempts } = deps.records;
  const account = await readIdentity(deps.records, shape, given.identity);
  const hash = account?.passwordHash ?? null;
  const limits = passwordLimits(shape.collection.id, account?.id ?? given.identity, call.clientAddress);
  await attempts.require(limits);
  const isRight = await isPassword(hashing, { password: given.password, hash, requestId: given.requestId });
  if (account === undefined || hash === null || !isRight) return fail('wrong_credentials');
  const answer = await inTransaction(deps, shape, 'sessions.begin', (tx) =>
    signIn(deps, tx, shape, call, { accountId: account.id, method: 'password', passwordHash: hash }),
  );
  if (answer !== undefined) await attempts.forgive(limits);
  if (costOf(hash) !== (await hashing.cost())) await hashAnew(deps, shape, account.id, hash, given).catch(nothing);
  return answer;
}

/** Hashes of another cost than new ones are replaced when their password passes by. */
async function hashAnew(deps: AuthDeps, shape: RecordShape, id: string, replaces: string, { password, requestId }: Given): Promise<void> {
  const hash = await deps.records.hashing.hash(password, requestId);
  await inTransaction(deps, shape, 'accounts.hash-anew', (tx) =>
    replacePasswordHash(tx, { collectionId: shape.collection.id, id }, { hash, replaces }),
  );
}

function readBody({ body, requestId }: HttpCall): Given {
  const faults = new FaultList();
  const given = parseInto(faults, [], PasswordSignIn, parseJson(body).value);
  const overlong = given === undefined ? undefined : overlongFault(given.password);
  if (overlong !== undefined) faults.add(['password'], overlong);
  faults.throwIfAny();
  return given === undefined ? fail('validation_failed') : { ...given, requestId };
}

/** The next sign-in will try again. */
function nothing(): void {}
