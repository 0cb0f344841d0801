import { fail } from '../../../proto/errors/svc-error.ts';
import { DeviceDecision } from '../../../proto/schema/device.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { readParameters } from '../../records/parameters.ts';
import { optionsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { decideGrant, selectGrant } from './device-grants.sql.ts';
import { userCodeDigest } from './user-code.ts';

/** How many codes one client may try: there are 25 billion, and a few wait at a time. */
const guesses = (clientAddress: string) => [{ of: 'device code', who: clientAddress, max: 20, windowS: 300 }];

/** What waits for the code: which accounts it is for, how they sign in, and who asks from where. */
export async function showDevice(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { records } = deps;
  const code = readParameters(call.query).get('code') ?? '';
  const limits = guesses(call.clientAddress);
  await records.attempts.require(limits);
  return withSchema(records.catalogue, async (schema) => {
    const [row] = await records.database.query(selectGrant, [userCodeDigest(code)]);
    const [collectionId, clientId, scope, address, userAgent, status, leftS] = row ?? [];
    const collection = schema.byId(collectionId ?? '');
    if (collection === undefined || status !== 'pending') return fail('device_not_found');
    await records.attempts.forgive(limits);
    const { password, otp, passkeys } = optionsOf(records.shapes.of(schema, collection));
    const body = {
      auth_svc: collection.name,
      client_id: clientId,
      scope,
      address,
      user_agent: userAgent,
      expires_in: Number(leftS),
      methods: { password: password.enabled, otp: otp.enabled, passkeys: passkeys.enabled },
    };
    return { status: 200, body: JSON.stringify(body) };
  });
}

/** Lets the device in as the caller, or turns it away. */
export async function decideDevice({ records }: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  if (principal.kind === 'guest') return fail('unauthorized');
  if (principal.kind === 'admin') return fail('forbidden');
  const { code, approve } = readBody(DeviceDecision, call.body);
  const limits = guesses(call.clientAddress);
  await records.attempts.require(limits);
  const values = [userCodeDigest(code), principal.collectionId, approve ? 'approved' : 'denied', approve ? principal.id : null];
  const decided = await records.database.query(decideGrant, values);
  if (decided.length === 0) return fail('device_not_found');
  await records.attempts.forgive(limits);
  return noContent;
}
