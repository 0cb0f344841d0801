import { fail } from '../../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { TotpCode } from '../../../proto/schema/mfa.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { AccountKey } from '../../credentials/account-secrets.ts';
import type { Principal } from '../../principal/principal.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { ownSession } from '../sessions/own-session.ts';
import { inTransaction } from '../transaction.ts';
import { confirmFactor, dropFactor, keepSecret } from './second-factor.sql.ts';
import { contextOf, holdSecondFactor, recoveryForm, useCode } from './second-factor.ts';
import { base32Text, stepOfCode, totpUri } from './totp.ts';

const secretBytes = 20;
const recoveryCodes = 10;

/** How often a code may be tried at an account. */
export const codeLimits = ({ collectionId, id }: AccountKey) => [{ of: 'totp', who: `${collectionId}/${id}`, max: 10, windowS: 300 }];

/** A fresh secret for the caller's app; it counts once a code of it has been given. */
export async function beginTotp(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { collectionId, id, account } = ownSession(principal, call.params[0] ?? '');
  const bytes = deps.records.ids.bytes(secretBytes);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    const sealed = deps.seal.seal(bytes.toString('hex'), contextOf({ collectionId, id })).toString('hex');
    const kept = await inTransaction(deps, shape, 'mfa.begin', (tx) => tx.execute(keepSecret, [collectionId, id, sealed]));
    if (kept.length === 0) return fail('totp_exists');
    const secret = base32Text(bytes);
    const { name } = (await deps.settings.current()).values.app;
    const label = [account['email'], account['username']].find((each): each is string => typeof each === 'string' && each !== '') ?? id;
    return { status: 200, body: JSON.stringify({ secret, uri: totpUri({ secret, issuer: name, account: label }) }) };
  });
}

/** The caller's app is in use from now on; answers the recovery codes, which are shown this once. */
export async function confirmTotp(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const key = ownSession(principal, call.params[0] ?? '');
  const { code } = readBody(TotpCode, call.body);
  await deps.records.attempts.require(codeLimits(key));
  const fresh = Array.from({ length: recoveryCodes }, () => deps.records.ids.short());
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    await inTransaction(deps, shape, 'mfa.confirm', async (tx) => {
      const factor = await holdSecondFactor(deps, tx, key);
      if (factor?.isConfirmed === true) return fail('totp_exists');
      const step = factor === undefined ? undefined : stepOfCode(factor.secret, code, deps.records.clock.now());
      if (step === undefined) return fail('wrong_code');
      const digests = fresh.map((each) => deps.codes.of(contextOf(key), recoveryForm(each)));
      return tx.execute(confirmFactor, [key.collectionId, key.id, String(step), JSON.stringify(digests)]);
    });
    return { status: 200, body: JSON.stringify({ recoveryCodes: fresh.map((each) => `${each.slice(0, 6)}-${each.slice(6)}`) }) };
  });
}

/** Takes the caller's app away; a code of it, or a recovery code, is needed. */
export async function removeTotp(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const key = ownSession(principal, call.params[0] ?? '');
  const { code } = readBody(TotpCode, call.body);
  await deps.records.attempts.require(codeLimits(key));
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    await inTransaction(deps, shape, 'mfa.remove', async (tx) => {
      const factor = await holdSecondFactor(deps, tx, key);
      if (factor === undefined || (factor.isConfirmed && !(await useCode(deps, tx, key, factor, code)))) return fail('wrong_code');
      return tx.execute(dropFactor, [key.collectionId, key.id]);
    });
    return noContent;
  });
}
