import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { OtpSignIn } from '../../../proto/schema/sign-in.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { isSameEmail, lockEmail } from '../account-email.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { guessLimits } from '../mail-limits.ts';
import type { Proof } from '../../proofs/proofs.ts';
import { proveAddress } from '../prove-address.ts';
import { signIn } from '../sign-in.ts';
import { codeKey } from './otp-code.ts';

/** Signs in by the code that was sent to an address, which is thereby proven: answers `{token, record}`. Every guess is counted before it is looked at. */
export async function signInWithOtp(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { email, otp, code = otp ?? '' } = readBody(OtpSignIn, call.body);
  const { records, proofs, codes } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'otp');
    await records.attempts.require(guessLimits(call.clientAddress));
    const key = codeKey(shape, email);
    const kept = await inTransaction(deps, shape, 'otp.attempt', (tx) => proofs.attempt(tx, 'otp', key));
    if (kept === undefined || !codes.isOf(kept.data['code'], key, code)) return fail('wrong_code');
    return inTransaction(deps, shape, 'sessions.begin', async (tx) => {
      const used = await proofs.redeem(tx, 'otp', key);
      if (used === undefined || used.data['code'] !== kept.data['code']) return fail('wrong_code');
      return (await begin(deps, tx, { schema, shape }, call, used)) ?? fail('wrong_code');
    });
  });
}

async function begin(
  deps: AuthDeps,
  tx: Transaction,
  place: { readonly schema: Schema; readonly shape: RecordShape },
  call: HttpCall,
  { record: id, email }: Proof,
): Promise<HttpAnswer | undefined> {
  if (!isSameEmail((await lockEmail(tx, place.shape, id)).email, email)) return undefined;
  await proveAddress(deps, tx, place, { id, isAskedByOwner: false });
  return signIn(deps, tx, place.shape, call, { accountId: id, method: 'otp' });
}
