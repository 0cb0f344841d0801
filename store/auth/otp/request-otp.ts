import { SvcError } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { EmailInput } from '../../../proto/schema/sign-in.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { readIdentity } from '../../records/account/identity.ts';
import { createRecord } from '../../records/create.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { emailOf } from '../account-email.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { mailLimits } from '../mail-limits.ts';
import { serviceWrite } from '../service-write.ts';
import { codeKey, newCode } from './otp-code.ts';

const lifetimeS = 600;
const attempts = 5;

/**
 * Sends a code to an address, and makes an account of it where there is none and the collection's create rule lets a guest do
 * that. The answer is the same whatever came of it.
 */
export async function requestOtp(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { email } = readBody(EmailInput, call.body);
  await withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'otp');
    if (await deps.records.attempts.allows(mailLimits('otp', shape, email))) await sendCode(deps, shape, email);
  });
  return { status: 200, body: JSON.stringify({ otpId: deps.records.ids.request() }) };
}

async function sendCode(deps: AuthDeps, shape: RecordShape, email: string): Promise<void> {
  const account = (await readIdentity(deps.records, shape, email)) ?? (await signUp(deps, shape, email));
  if (account === undefined) return;
  const { records, proofs, mailer, codes } = deps;
  const code = newCode(records.ids);
  const key = codeKey(shape, email);
  const collectionId = shape.collection.id;
  await inTransaction(deps, shape, 'otp.request', async (tx) => {
    const data = { code: codes.of(key, code) };
    await proofs.keep(tx, key, { kind: 'otp', collectionId, record: account.id, email, data, attempts, lifetimeS });
    const values = { OTP: code, MINUTES: String(lifetimeS / 60) };
    await mailer.send(tx, { kind: 'otp', collectionId, to: emailOf(account).email, values });
  });
}

/** Undefined where a guest may not, or cannot, sign up with an address alone. */
async function signUp({ records }: AuthDeps, shape: RecordShape, email: string) {
  try {
    const write = { ...serviceWrite(records, shape, { email }), principal: { kind: 'guest' }, signUp: { isVerified: false } } as const;
    await createRecord(records, write);
  } catch (error) {
    if (!(error instanceof SvcError) || error.status >= 500) throw error;
  }
  return readIdentity(records, shape, email);
}
