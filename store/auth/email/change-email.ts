import { fail, fault } from '../../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { EmailChange, NewEmail } from '../../../proto/schema/sign-in.ts';
import { presentPasswordLimits } from '../../attempts/password-limits.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { readPasswordHash } from '../../credentials/account-secrets.ts';
import { isPassword, overlongFault } from '../../credentials/passwords.ts';
import type { Principal, SignedIn } from '../../principal/principal.ts';
import { readIdentity } from '../../records/account/identity.ts';
import { updateIn } from '../../records/update.ts';
import { deleteSessionsOf, selectSession } from '../../sessions/sessions.sql.ts';
import { lockEmail } from '../account-email.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { guessLimits, mailLimits } from '../mail-limits.ts';
import { serviceWrite } from '../service-write.ts';
import { sendLink } from '../send-link.ts';
import { ownSession } from '../sessions/own-session.ts';

/** A token may have been stolen; who signed in longer ago gives the password again. */
const freshS = 600;

/** Mails a link to the address that the caller's account shall have, and a notice to the one that it has. */
export async function requestEmailChange(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const owner = ownSession(principal, call.params[0] ?? '');
  const { newEmail, email = newEmail ?? '', password } = readBody(NewEmail, call.body);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    await requireFresh(deps, call, owner, password);
    if (!(await deps.records.attempts.allows(mailLimits('email-change', shape, owner.id)))) return noContent;
    const holder = await readIdentity(deps.records, shape, email);
    const present = owner.account['email'];
    await sendLink(deps, shape, {
      kind: 'email-change',
      page: 'confirm-email-change',
      // That another account has the address is not told.
      accountId: holder === undefined ? owner.id : undefined,
      to: email,
      data: { sessionId: owner.sessionId },
      also: async (tx) => {
        if (typeof present !== 'string' || present === '') return;
        await deps.mailer.send(tx, { kind: 'email-change-notice', collectionId: shape.collection.id, to: present, values: { EMAIL: email } });
      },
    });
    return noContent;
  });
}

/** The account has the new address from now on, and it is proven; its sessions end. */
export async function confirmEmailChange(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { token } = readBody(EmailChange, call.body);
  const { records, proofs } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    await records.attempts.require(guessLimits(call.clientAddress));
    await inTransaction(deps, shape, 'email-change.confirm', async (tx) => {
      const proof = await proofs.redeem(tx, 'email-change', token);
      if (proof === undefined || proof.collectionId !== shape.collection.id) return fail('bad_token');
      const account = { collectionId: proof.collectionId, id: proof.record };
      // Who has signed out, or whose sessions were ended, asks for nothing any more.
      const [session] = await tx.execute(selectSession, [String(proof.data['sessionId']), account.collectionId, account.id]);
      if (session === undefined) return fail('bad_token');
      await lockEmail(tx, shape, account.id);
      await updateIn(records, tx, schema, { ...serviceWrite(records, shape, { email: proof.email, verified: true }), id: account.id });
      await tx.execute(deleteSessionsOf, [account.collectionId, account.id]);
      for (const kind of ['email-change', 'verification', 'password-reset', 'otp'] as const) await proofs.drop(tx, kind, account);
    });
    return noContent;
  });
}

async function requireFresh(deps: AuthDeps, call: HttpCall, owner: SignedIn, password: string | undefined): Promise<void> {
  const { database, hashing, attempts } = deps.records;
  const [[, ageS] = []] = await database.query(selectSession, [owner.sessionId, owner.collectionId, owner.id]);
  if (Number(ageS ?? Infinity) < freshS) return;
  const hash = await readPasswordHash(
    { execute: (statement, values) => database.query(statement, values) },
    { collectionId: owner.collectionId, id: owner.id },
  );
  if (hash === null) return;
  if (password === undefined) fail('validation_failed', { data: { password: fault('required') } });
  const limits = presentPasswordLimits(owner.collectionId, owner.id);
  await attempts.require(limits);
  const isRight = overlongFault(password) === undefined && (await isPassword(hashing, { password, hash, requestId: call.requestId }));
  if (!isRight) fail('validation_failed', { data: { password: fault('wrong_password') } });
  await attempts.forgive(limits);
}
