import { SvcError } from '../../../proto/errors/svc-error.ts';
import { headerOf, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { forgetGrants, insertGrant } from './device-grants.sql.ts';
import { formFields } from './form-fields.ts';
import { oauthRefusal } from './oauth-answer.ts';
import { codeDigest, newUserCode, userCodeDigest } from './user-code.ts';

const lifetimeS = 900;
const intervalS = 5;
const deviceCodeBytes = 32;
const textMax = 200;

/** Gives a device the code that it polls by and the one that its user types (RFC 8628, 3.1 and 3.2). */
export async function authorizeDevice(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const fields = formFields(call);
  if (fields === undefined) return oauthRefusal('invalid_request', 'The body must be a form or a JSON object.');
  const { records } = deps;
  const deviceCode = records.ids.bytes(deviceCodeBytes).toString('base64url');
  const userCode = newUserCode(records.ids);
  const isKept = await withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, fields.get('auth_svc') ?? 'users');
    const values = [
      codeDigest(deviceCode),
      userCodeDigest(userCode),
      shape.collection.id,
      (fields.get('client_id') ?? '').slice(0, textMax),
      (fields.get('scope') ?? '').slice(0, textMax),
      call.clientAddress,
      headerOf(call, 'user-agent').slice(0, textMax),
      String(intervalS),
      String(lifetimeS),
    ];
    await inTransaction(deps, shape, 'device.authorize', async (tx) => {
      await tx.execute(forgetGrants, []);
      await tx.execute(insertGrant, values);
    });
    return true;
  }).catch(unlessUnknown);
  if (!isKept) return oauthRefusal('invalid_request', 'auth_svc must be the name of an auth collection.');
  const uri = await verificationUri(deps);
  const body = {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: uri,
    verification_uri_complete: `${uri}?code=${userCode}`,
    expires_in: lifetimeS,
    interval: intervalS,
  };
  return { status: 200, body: JSON.stringify(body) };
}

async function verificationUri({ settings }: AuthDeps): Promise<string> {
  const { publicUrl } = (await settings.current()).values.app;
  return `${publicUrl.replace(/\/+$/, '')}/device`;
}

function unlessUnknown(error: unknown): false {
  if (error instanceof SvcError && (error.code === 'collection_not_found' || error.code === 'bad_request')) return false;
  throw error;
}
