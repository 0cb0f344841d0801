import { fail } from '../../../proto/errors/svc-error.ts';
import { FaultList, parseInto } from '../../../proto/schema/faults.ts';
import { PasswordSignIn } from '../../../proto/schema/sign-in.ts';
import { parseJson } from '../../../proto/values/json.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { isPassword, overlongFault } from '../../credentials/passwords.ts';
import { readIdentity } from '../../records/account/identity.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import { authTransaction, type AuthAnswer, type AuthDeps, type AuthRequest } from '../deps.ts';
import { signIn } from '../sign-in.ts';

/**
 * Signs an account in: answers `{token, record}`. Whatever is wrong, the refusal is one and the same, and takes the same
 * work: it does not say which accounts there are.
 */
export async function signInWithPassword(deps: AuthDeps, request: AuthRequest): Promise<AuthAnswer> {
  const { identity, password } = readBody(request.body);
  const { records } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, request.params[0] ?? '');
    requireMethod(shape, 'password');
    const account = await readIdentity(records, shape, identity);
    const hash = account?.passwordHash ?? null;
    const isRight = await isPassword(records.hashing, { password, hash, requestId: request.requestId });
    if (account === undefined || hash === null || !isRight) return fail('wrong_credentials');
    return records.database.transaction(authTransaction('sessions.begin'), (tx) =>
      signIn(deps, tx, shape, request, { accountId: account.id, method: 'password', passwordHash: hash }),
    );
  });
}

function readBody(body: Uint8Array): { readonly identity: string; readonly password: string } {
  const faults = new FaultList();
  const given = parseInto(faults, [], PasswordSignIn, parseJson(body).value);
  const overlong = given === undefined ? undefined : overlongFault(given.password);
  if (overlong !== undefined) faults.add(['password'], overlong);
  faults.throwIfAny();
  return given ?? fail('validation_failed');
}
