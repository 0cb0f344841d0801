import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Schema } from '../../collections/catalogue.ts';
import type { TextRow } from '../../postgres/connection.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { guessLimits } from '../mail-limits.ts';
import { optionsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { signIn } from '../sign-in.ts';
import { deleteGrant, holdGrant, pollGrant } from './device-grants.sql.ts';
import { formFields } from './form-fields.ts';
import { oauthRefusal } from './oauth-answer.ts';
import { codeDigest } from './user-code.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const slowDownS = 5;

/** Tells a polling device how it stands, and gives it a token once its user has approved (RFC 8628, 3.4 and 3.5). */
export async function deviceToken(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const fields = formFields(call);
  if (fields === undefined) return oauthRefusal('invalid_request', 'The body must be a form or a JSON object.');
  const deviceCode = fields.get('device_code');
  if (fields.get('grant_type') === undefined || deviceCode === undefined)
    return oauthRefusal('invalid_request', 'grant_type and device_code are needed.');
  if (fields.get('grant_type') !== grantType) return oauthRefusal('unsupported_grant_type', `grant_type must be ${grantType}.`);
  const digest = codeDigest(deviceCode);
  const { records } = deps;
  return withSchema(records.catalogue, (schema) =>
    records.database.transaction({ label: 'device.token', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 }, async (tx) => {
      const [grant] = await tx.execute(holdGrant, [digest]);
      return grant === undefined ? unknownCode(deps, call) : answerPoll(deps, tx, schema, call, { digest, grant });
    }),
  );
}

async function unknownCode({ records }: AuthDeps, { clientAddress }: HttpCall): Promise<HttpAnswer> {
  await records.attempts.require(guessLimits(clientAddress));
  return oauthRefusal('invalid_grant', 'There is no such device code, or it was redeemed already.');
}

interface Polled {
  readonly digest: string;
  readonly grant: TextRow;
}

async function answerPoll(deps: AuthDeps, tx: Transaction, schema: Schema, call: HttpCall, { digest, grant }: Polled): Promise<HttpAnswer> {
  const [collectionId, status, record, hasExpired, sinceS, interval] = grant;
  if (hasExpired === 'true') return oauthRefusal('expired_token', 'The code has expired; begin again.');
  if (status === 'denied') return oauthRefusal('access_denied', 'The request was denied.');
  const intervalS = Number(interval);
  if (status === 'pending') {
    const isEarly = sinceS !== null && Number(sinceS) < intervalS;
    await tx.execute(pollGrant, [digest, String(isEarly ? intervalS + slowDownS : intervalS)]);
    if (isEarly) return oauthRefusal('slow_down', `Wait ${intervalS + slowDownS} seconds between polls from now on.`);
    return oauthRefusal('authorization_pending', 'The user has not decided yet.');
  }
  const collection = schema.byId(collectionId ?? '');
  if (collection === undefined) return oauthRefusal('invalid_grant', 'The accounts are gone.');
  const shape = deps.records.shapes.of(schema, collection);
  await tx.execute(deleteGrant, [digest]);
  const answer = await signIn(deps, tx, shape, call, { accountId: record ?? '', method: 'device' });
  return answer === undefined ? oauthRefusal('invalid_grant', 'The account is gone.') : asTokenAnswer(shape, answer);
}

/** RFC 6749, 5.1. */
function asTokenAnswer(shape: RecordShape, { body }: HttpAnswer): HttpAnswer {
  const { token, record } = JSON.parse(body) as { readonly token: string; readonly record: unknown };
  const answer = { access_token: token, token_type: 'Bearer', expires_in: optionsOf(shape).tokenDuration, record };
  return { status: 200, body: JSON.stringify(answer) };
}
