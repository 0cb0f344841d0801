import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { MfaSignIn } from '../../../proto/schema/mfa.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { guessLimits } from '../mail-limits.ts';
import { beginSession, type SignInMethod } from '../sign-in.ts';
import { inTransaction } from '../transaction.ts';
import { codeLimits } from './manage-totp.ts';
import { holdSecondFactor, useCode } from './second-factor.ts';

/** The second half of a sign-in: a code of the account's app, or a recovery code. Answers `{token, record}`. */
export async function signInWithMfa(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { mfaId, code } = readBody(MfaSignIn, call.body);
  const { records, proofs } = deps;
  await records.attempts.require(guessLimits(call.clientAddress));
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    const known = await inTransaction(deps, shape, 'mfa.look', (tx) => proofs.look(tx, 'mfa', mfaId));
    if (known?.collectionId !== shape.collection.id) return fail('wrong_code');
    const key = { collectionId: known.collectionId, id: known.record };
    await records.attempts.require(codeLimits(key));
    return inTransaction(deps, shape, 'sessions.begin', async (tx) => {
      const factor = await holdSecondFactor(deps, tx, key);
      if (factor === undefined || !(await useCode(deps, tx, key, factor, code))) return fail('wrong_code');
      if ((await proofs.redeem(tx, 'mfa', mfaId)) === undefined) return fail('wrong_code');
      const method = String(known.data['method']) as SignInMethod;
      return (await beginSession(deps, tx, shape, call, { accountId: key.id, method })) ?? fail('wrong_code');
    });
  });
}
