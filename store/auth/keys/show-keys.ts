import type { HttpAnswer } from '../../../proto/schema/http-call.ts';
import { exportJWK } from 'jose';
import type { AuthDeps } from '../deps.ts';
import { signingAlgorithm } from './signing-keys.ts';

/** The public keys as a JWK Set (RFC 7517, 5), the one that signs now first. */
export async function showKeys({ keys }: AuthDeps): Promise<HttpAnswer> {
  return { status: 200, body: await keySetText(keys) };
}

/** Signs with a new key from now on. */
export async function rotateKeys({ keys }: AuthDeps): Promise<HttpAnswer> {
  await keys.rotate();
  return { status: 201, body: await keySetText(keys) };
}

async function keySetText(keys: AuthDeps['keys']): Promise<string> {
  const set = (await keys.all()).map(async ({ id, publicKey }) => {
    const { kty, crv, x } = await exportJWK(publicKey);
    return { kty, crv, x, kid: id, alg: signingAlgorithm, use: 'sig' };
  });
  return JSON.stringify({ keys: await Promise.all(set) });
}
