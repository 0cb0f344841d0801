import { fail } from '../../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { EmailInput, TokenInput } from '../../../proto/schema/sign-in.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { readIdentity } from '../../records/account/identity.ts';
import { selectSession } from '../../sessions/sessions.sql.ts';
import { emailOf, isSameEmail, lockEmail } from '../account-email.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { guessLimits, mailLimits } from '../mail-limits.ts';
import type { Proof } from '../../proofs/proofs.ts';
import { proveAddress } from '../prove-address.ts';
import { sendLink } from '../send-link.ts';

/** Mails a link to the account of an address that is not proven yet, where there is one; the answer says not whether. */
export async function requestVerification(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { email } = readBody(EmailInput, call.body);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    if (!(await deps.records.attempts.allows(mailLimits('verification', shape, email)))) return noContent;
    const account = await readIdentity(deps.records, shape, email);
    const isWanted = account !== undefined && !emailOf(account).isVerified;
    const isOwner = principal.kind === 'user' && principal.collectionId === shape.collection.id && principal.id === account?.id;
    await sendLink(deps, shape, {
      kind: 'verification',
      page: 'verify-email',
      accountId: isWanted ? account.id : undefined,
      to: account === undefined ? email : emailOf(account).email,
      data: isOwner ? { sessionId: principal.sessionId } : {},
    });
    return noContent;
  });
}

/** The address of the link's account is proven from now on. */
export async function confirmVerification(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { token } = readBody(TokenInput, call.body);
  const { records, proofs } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    await records.attempts.require(guessLimits(call.clientAddress));
    await inTransaction(deps, shape, 'verification.confirm', async (tx) => {
      const proof = await proofs.redeem(tx, 'verification', token);
      if (proof === undefined || proof.collectionId !== shape.collection.id) return fail('bad_token');
      if (!isSameEmail((await lockEmail(tx, shape, proof.record)).email, proof.email)) return fail('bad_token');
      const [session] = await tx.execute(selectSession, [sessionOf(proof), proof.collectionId, proof.record]);
      await proveAddress(deps, tx, { schema, shape }, { id: proof.record, isAskedByOwner: session !== undefined });
    });
    return noContent;
  });
}

/** The session that asked; empty where a stranger did. */
function sessionOf({ data }: Proof): string {
  return typeof data['sessionId'] === 'string' ? data['sessionId'] : '';
}
