import { fail, fault } from '../../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { EmailInput, PasswordReset } from '../../../proto/schema/sign-in.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { readPasswordHash, replacePasswordHash } from '../../credentials/account-secrets.ts';
import { passwordFault } from '../../credentials/passwords.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { readIdentity } from '../../records/account/identity.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { deleteSessionsOf } from '../../sessions/sessions.sql.ts';
import { emailOf, isSameEmail, lockEmail } from '../account-email.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { guessLimits, mailLimits } from '../mail-limits.ts';
import { proveAddress } from '../prove-address.ts';
import { sendLink } from '../send-link.ts';

/** Mails a link to the account of an address, where there is one; the answer says not whether. */
export async function requestPasswordReset(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { email } = readBody(EmailInput, call.body);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'password');
    if (!(await deps.records.attempts.allows(mailLimits('password-reset', shape, email)))) return noContent;
    const account = await readIdentity(deps.records, shape, email);
    const to = account === undefined ? email : emailOf(account).email;
    await sendLink(deps, shape, { kind: 'password-reset', page: 'reset-password', accountId: account?.id, to });
    return noContent;
  });
}

/** Gives an account the new password, once for each link; its sessions end, and its address is proven. */
export async function confirmPasswordReset(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { token, password, passwordConfirm } = readBody(PasswordReset, call.body);
  const weak = passwordFault(password);
  if (weak !== undefined) return fail('validation_failed', { data: { password: weak } });
  if (passwordConfirm !== password) return fail('validation_failed', { data: { passwordConfirm: fault('not_confirmed') } });
  const { records, proofs } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    await records.attempts.require(guessLimits(call.clientAddress));
    // A token that is none costs no hash.
    const known = await inTransaction(deps, shape, 'password-reset.look', (tx) => proofs.look(tx, 'password-reset', token));
    if (known?.collectionId !== shape.collection.id) return fail('bad_token');
    const hash = await records.hashing.hash(password, call.requestId);
    await inTransaction(deps, shape, 'password-reset.confirm', (tx) => reset(deps, tx, { schema, shape }, { token, hash }));
    return noContent;
  });
}

async function reset(
  deps: AuthDeps,
  tx: Transaction,
  place: { readonly schema: Schema; readonly shape: RecordShape },
  { token, hash }: { readonly token: string; readonly hash: string },
): Promise<void> {
  const { shape } = place;
  const proof = await deps.proofs.redeem(tx, 'password-reset', token);
  if (proof === undefined || !isSameEmail((await lockEmail(tx, shape, proof.record)).email, proof.email)) return fail('bad_token');
  const account = { collectionId: shape.collection.id, id: proof.record };
  await proveAddress(deps, tx, place, { id: proof.record, isAskedByOwner: false });
  if (!(await replacePasswordHash(tx, account, { hash, replaces: await readPasswordHash(tx, account) }))) return fail('write_conflict');
  await tx.execute(deleteSessionsOf, [account.collectionId, account.id]);
  await deps.proofs.drop(tx, 'password-reset', account);
}
