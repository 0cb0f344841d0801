import { fail } from '../../proto/errors/svc-error.ts';
import { FaultList, parseInto } from '../../proto/schema/faults.ts';
import { PasswordSignIn } from '../../proto/schema/sign-in.ts';
import { parseJson } from '../../proto/values/json.ts';
import type { Schema } from '../collections/catalogue.ts';
import { withSchema } from '../collections/with-schema.ts';
import { isPassword, overlongFault } from '../credentials/passwords.ts';
import { readIdentity, type Identity } from '../records/account/identity.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import { beginSession, type Session } from '../sessions/begin-session.ts';
import type { AuthDeps, AuthRequest } from './deps.ts';

/**
 * Signs an account in: answers `{token, record}` as JSON. Whatever is wrong, the refusal is one and the same, and takes the
 * same work: it does not say which accounts there are.
 */
export async function signInWithPassword(deps: AuthDeps, request: AuthRequest): Promise<string> {
  const { identity, password } = readBody(request.body);
  const { records } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, request.collection);
    const account = await readIdentity(records, shape, identity);
    const isRight = await isPassword(records.hashing, { password, hash: account?.passwordHash ?? null, requestId: request.requestId });
    if (account === undefined || !isRight) return fail('wrong_credentials');
    const session = await begin(deps, shape, account);
    const token = await deps.tokens.issue({
      sessionId: session.id,
      tokenId: session.tokenId,
      collectionId: shape.collection.id,
      collection: shape.collection.name,
      accountId: account.id,
      expiresAtMs: session.expiresAtMs,
    });
    return `{"token":${JSON.stringify(token)},"record":${account.document}}`;
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

/** The shape of an auth collection; fails where there is none of this name. */
function accountsOf({ records }: AuthDeps, schema: Schema, name: string): RecordShape {
  const shape = records.shapes.named(schema, name);
  return shape.hasAccounts
    ? shape
    : fail('bad_request', { values: { reason: `The collection ${shape.collection.name} keeps no accounts; sign in at one of type auth.` } });
}

async function begin({ records }: AuthDeps, shape: RecordShape, { id, passwordHash }: Identity): Promise<Session> {
  const account = { collectionId: shape.collection.id, id, passwordHash: passwordHash ?? '' };
  const options = { label: 'sessions.begin', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
  const session = await records.database.transaction(options, (tx) => beginSession(records, tx, account));
  return session ?? fail('wrong_credentials');
}
