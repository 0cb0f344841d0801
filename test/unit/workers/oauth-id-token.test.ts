import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { exchangeCode } from '../../../workers/oauth/exchange-code.ts';
import type { Profile } from '../../../workers/oauth/profile.ts';
import type { Provider } from '../../../workers/oauth/provider.ts';
import { OAuthReceiver } from '../../support/outside/oauth-receiver.ts';
import { codeVerifier, nonce, oauthDeps, oauthFailure, redirectUri, TokenSigner } from './oauth-fixture.ts';

const receiver = await OAuthReceiver.start();
const signer = await TokenSigner.make('key-1');
const stranger = await TokenSigner.make('key-1');
const unpublished = await TokenSigner.make('key-2');
after(() => receiver[Symbol.asyncDispose]());

const provider: Provider = { kind: 'oidc', name: 'acme', title: 'Acme', issuer: receiver.url, clientId: 'client', clientSecret: 'the-secret' };
const honest: JWTPayload = { iss: receiver.url, aud: 'client', sub: 'ada', nonce, email: 'ada@example.com', email_verified: true };
const nowS = Math.floor(Date.now() / 1000);

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer('/.well-known/openid-configuration', {
    json: {
      issuer: receiver.url,
      authorization_endpoint: `${receiver.url}/auth`,
      token_endpoint: `${receiver.url}/token`,
      jwks_uri: `${receiver.url}/jwks`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      // A provider that would even take these must not talk us into them.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    },
  });
  receiver.answer('/jwks', { json: { keys: [signer.jwk] } });
});

test('a token of which everything holds is believed', async () => {
  const profile = await exchange(await signer.sign(honest));

  assert.deepEqual(profile, {
    provider: 'acme',
    subject: 'ada',
    email: 'ada@example.com',
    isEmailVerified: true,
    name: null,
    username: null,
    avatarUrl: null,
    raw: '{"sub":"ada","email":"ada@example.com","email_verified":true}',
  });
});

interface Forgery {
  readonly what: string;
  readonly token: () => string | Promise<string>;
  /** What the cause says, so that each is refused for its own fault. */
  readonly because: RegExp;
}

const forgeries: readonly Forgery[] = [
  { what: 'signed by a key that only claims to be the published one', token: () => stranger.sign(honest), because: /signature verification failed/ },
  { what: 'signed by a key that is not published', token: () => unpublished.sign(honest), because: /no applicable keys/ },
  { what: 'without a signature', token: () => `${encoded({ alg: 'none' })}.${encoded(lasting(honest))}.`, because: /unsupported JWS "alg"/ },
  { what: 'signed with our own secret', token: signedWithSecret, because: /unsupported JWS algorithm/ },
  { what: 'changed after it was signed', token: changedAfterwards, because: /signature verification failed/ },
  { what: 'of another issuer', token: () => signer.sign({ ...honest, iss: 'https://evil.example' }), because: /"iss"/ },
  { what: 'for another audience', token: () => signer.sign({ ...honest, aud: 'another-client' }), because: /"aud"/ },
  { what: 'for us and others without a word whose it is', token: () => signer.sign({ ...honest, aud: ['client', 'another'] }), because: /"aud"/ },
  { what: 'that has expired', token: () => signer.sign({ ...honest, exp: nowS - 60 }), because: /"exp".* past/ },
  { what: 'that does not expire', token: () => signer.sign(without('exp')), because: /"exp".* missing/ },
  { what: 'that is not valid yet', token: () => signer.sign({ ...honest, nbf: nowS + 300 }), because: /"nbf"/ },
  { what: 'without our nonce', token: () => signer.sign(without('nonce')), because: /"nonce".* missing/ },
  { what: 'with another nonce', token: () => signer.sign({ ...honest, nonce: 'another' }), because: /"nonce"/ },
  { what: 'without a subject', token: () => signer.sign(without('sub')), because: /"sub".* missing/ },
  { what: 'whose subject is too long', token: () => signer.sign({ ...honest, sub: 'a'.repeat(256) }), because: /^$/ },
  { what: 'that is none', token: () => 'not-a-token', because: /Invalid JWT/ },
  { what: 'of no characters', token: () => '', because: /id_token/ },
];

for (const { what, token, because } of forgeries) {
  test(`a token ${what} is refused`, async () => {
    const idToken = await token();

    const failure = await oauthFailure(exchange(idToken), ['the-secret', 'the-access-token', codeVerifier, 'the-code', idToken || 'the-code']);

    assert.equal(failure.reason, 'bad_token');
    assert.match(failure.cause, because);
  });
}

test('an answer without a token is refused', async () => {
  assert.equal((await oauthFailure(exchange(undefined))).reason, 'bad_token');
});

test('a token for several audiences is believed when it says that it is ours', async () => {
  const profile = await exchange(await signer.sign({ ...honest, aud: ['client', 'another-client'], azp: 'client' }));

  assert.equal(profile.subject, 'ada');
});

test('forged tokens make nobody fetch the keys again', async () => {
  const deps = oauthDeps();
  await exchange(await signer.sign(honest), deps);

  for (const forger of [stranger, unpublished, unpublished]) await oauthFailure(exchange(await forger.sign(honest), deps));

  assert.equal(receiver.at('/jwks').length, 1);
});

test('what is kept of a profile is bounded', async () => {
  const long = await signer.sign({ ...honest, name: 'n'.repeat(300), picture: 'javascript:alert(1)', letters: 'l'.repeat(20_000) });

  const profile = await exchange(long);

  assert.deepEqual([profile.name, profile.avatarUrl], [null, null]);
  assert.deepEqual(Object.keys(JSON.parse(profile.raw) as object), ['sub', 'email', 'email_verified', 'name', 'picture']);
});

/** Lets the provider answer the code with `idToken`. */
function exchange(idToken: string | undefined, deps = oauthDeps()): Promise<Profile> {
  receiver.answer('/token', { json: { access_token: 'the-access-token', token_type: 'Bearer', id_token: idToken } });
  return exchangeCode(deps, provider, { code: 'the-code', codeVerifier, redirectUri, nonce });
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function lasting(claims: JWTPayload): JWTPayload {
  return { ...claims, iat: nowS, exp: nowS + 300 };
}

function without(claim: string): JWTPayload {
  return { ...honest, [claim]: undefined };
}

function signedWithSecret(): string {
  const content = `${encoded({ alg: 'HS256' })}.${encoded(lasting(honest))}`;
  return `${content}.${createHmac('sha256', 'the-secret').update(content).digest('base64url')}`;
}

async function changedAfterwards(): Promise<string> {
  const [header, , signature] = (await signer.sign(honest)).split('.');
  return [header, encoded(lasting({ ...honest, sub: 'eve' })), signature].join('.');
}
