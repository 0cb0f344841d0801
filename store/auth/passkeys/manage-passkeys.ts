import { fail } from '../../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { holdAccount } from '../../records/account/hold-account.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { ownSession } from '../sessions/own-session.ts';
import { inTransaction } from '../transaction.ts';
import { keepChallenge, requireSameAccounts, takeChallenge } from './challenge.ts';
import { deletePasskey, selectPasskeys } from './passkeys.sql.ts';
import { registrationOptions, storePasskey, verifiedPasskey } from './registration.ts';

/** The passkeys of the caller's account. */
export async function listPasskeys({ records }: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { collectionId, id } = ownSession(principal, call.params[0] ?? '');
  const rows = await records.database.query(selectPasskeys, [collectionId, id]);
  const passkeys = rows.map(([passkey, , name, backedUp, createdAt, lastUsedAt]) => ({
    id: passkey,
    name,
    backed_up: backedUp === 'true',
    created_at: createdAt,
    last_used_at: lastUsedAt,
  }));
  return { status: 200, body: JSON.stringify(passkeys) };
}

/** Takes a passkey from the caller's account. */
export async function removePasskey({ records }: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { collectionId, id } = ownSession(principal, call.params[0] ?? '');
  const removed = await records.database.query(deletePasskey, [collectionId, id, call.params[1] ?? '']);
  return removed.length === 0 ? fail('passkey_not_found') : noContent;
}

/** Begins to add a passkey to the caller's account: options for the browser. */
export async function addPasskeyOptions(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const owner = ownSession(principal, call.params[0] ?? '');
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'passkeys');
    const rows = await deps.records.database.query(selectPasskeys, [owner.collectionId, owner.id]);
    const { username, email } = owner.account;
    const userName = [username, email].find((name): name is string => typeof name === 'string' && name !== '') ?? owner.id;
    const publicKey = await registrationOptions(deps, { accountId: owner.id, userName, present: rows.map(([id]) => id ?? '') });
    const sessionToken = await keepChallenge(deps, shape, { kind: 'passkey-add', record: owner.id, data: { challenge: publicKey.challenge } });
    return { status: 200, body: JSON.stringify({ sessionToken, options: { publicKey } }) };
  });
}

/** Adds the passkey that the browser has made. */
export async function addPasskey(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const owner = ownSession(principal, call.params[0] ?? '');
  const answered = await takeChallenge(deps, 'passkey-add', call);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'passkeys');
    requireSameAccounts(answered, shape);
    if (answered.proof.record !== owner.id) return fail('passkey_refused');
    const passkey = await verifiedPasskey(deps, answered);
    await inTransaction(deps, shape, 'passkey-add', async (tx) => {
      if ((await holdAccount(tx, shape, { id: owner.id })) === undefined) return fail('passkey_refused');
      return storePasskey(tx, shape, owner.id, passkey);
    });
    return { status: 200, body: JSON.stringify({ id: passkey.id, name: passkey.name }) };
  });
}
