import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { Clock } from '../../../proto/values/time.ts';
import { OAuthError } from '../oauth-error.ts';
import type { AppleProvider } from '../provider.ts';

/**
 * The secret that Apple takes: a token of ours (ES256) that names team, key and client and lives five minutes; Apple would take six
 * months (developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret).
 */
export function appleClientSecret(provider: AppleProvider, clock: Clock): string {
  const issuedAtS = Math.floor(clock.now() / 1000);
  const header = { alg: 'ES256', kid: provider.keyId };
  const claims = { iss: provider.teamId, iat: issuedAtS, exp: issuedAtS + lifetimeS, aud: 'https://appleid.apple.com', sub: provider.clientId };
  const content = `${encoded(header)}.${encoded(claims)}`;
  // RFC 7518 section 3.4: the two numbers side by side, not in DER.
  const signature = sign('sha256', Buffer.from(content), { key: privateKey(provider), dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

const lifetimeS = 300;

function privateKey({ title, clientSecret }: AppleProvider): KeyObject {
  const key = readKey(clientSecret);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new OAuthError('misconfigured', `${title} needs the private key that Apple has issued, a P-256 key in PEM.`);
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
