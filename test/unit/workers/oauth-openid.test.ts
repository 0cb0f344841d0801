import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { authorizationUrl } from '../../../workers/oauth/authorization-url.ts';
import { exchangeCode, type OAuthDeps } from '../../../workers/oauth/exchange-code.ts';
import type { Provider } from '../../../workers/oauth/provider.ts';
import { OidcProvider, type OidcProviderOptions } from '../../support/outside/oidc-provider.ts';
import { until } from '../../support/until.ts';
import { codeChallenge, codeVerifier, nonce, oauthDeps, oauthFailure, redirectUri, state } from './oauth-fixture.ts';

const accounts = {
  ada: {
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Lovelace',
    preferred_username: 'ada',
    picture: 'https://example.com/ada.png',
  },
  bob: { email: 'bob@example.com', email_verified: false, name: 'Bob' },
  '0451': { name: '' },
};

const idp = await startProvider();
const settings = providerAt(idp);
after(() => idp[Symbol.asyncDispose]());

test('an account of a real provider becomes a profile', async () => {
  const deps = oauthDeps();

  const callback = await signIn(deps, 'ada');
  const profile = await exchangeCode(deps, settings, callback);

  assert.deepEqual(
    { ...profile, raw: JSON.parse(profile.raw) as unknown },
    {
      provider: 'acme',
      subject: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada Lovelace',
      username: 'ada',
      avatarUrl: 'https://example.com/ada.png',
      raw: { sub: 'ada', ...accounts.ada },
    },
  );
});

test('an address that the provider has not verified is told as such, and what it does not know is null', async () => {
  const deps = oauthDeps();

  const bob = await exchangeCode(deps, settings, await signIn(deps, 'bob'));
  const unknown = await exchangeCode(deps, settings, await signIn(deps, '0451'));

  assert.deepEqual([bob.email, bob.isEmailVerified, bob.username, bob.avatarUrl], ['bob@example.com', false, null, null]);
  assert.deepEqual(
    { ...unknown, raw: '' },
    {
      provider: 'acme',
      subject: '0451',
      email: null,
      isEmailVerified: false,
      name: null,
      username: null,
      avatarUrl: null,
      raw: '',
    },
  );
});

test('the browser is sent to the endpoint of the discovery document with all that the flow needs', async () => {
  const url = new URL(await authorizationUrl(oauthDeps(), settings, { redirectUri, state, nonce, codeChallenge }));

  assert.equal(`${url.origin}${url.pathname}`, `${idp.issuer}/auth`);
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: idp.clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });
});

test('a person who refuses is sent back with an error and without a code', async () => {
  const deps = oauthDeps();

  const back = await idp.signIn(await authorizationUrl(deps, settings, { redirectUri, state, nonce, codeChallenge }), null);

  assert.deepEqual([back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.has('code')], ['access_denied', state, false]);
});

test('a code needs its verifier, its redirect address and our secret, and works once', async () => {
  const deps = oauthDeps();
  const secrets = [idp.clientSecret, encodeURIComponent(idp.clientSecret), codeVerifier];
  const wrongVerifier = codeVerifier.replace('a', 'b');

  const verifier = await signIn(deps, 'ada');
  assert.equal(
    (await oauthFailure(exchangeCode(deps, settings, { ...verifier, codeVerifier: wrongVerifier }), [...secrets, verifier.code])).reason,
    'bad_code',
  );
  const address = await signIn(deps, 'ada');
  assert.equal((await oauthFailure(exchangeCode(deps, settings, { ...address, redirectUri: `${redirectUri}/b` }), secrets)).reason, 'bad_code');
  const secret = await signIn(deps, 'ada');
  assert.equal(
    (await oauthFailure(exchangeCode(deps, { ...settings, clientSecret: 'guessed' }, secret), [...secrets, 'guessed'])).reason,
    'misconfigured',
  );
  const twice = await signIn(deps, 'ada');
  await exchangeCode(deps, settings, twice);
  assert.deepEqual(await oauthFailure(exchangeCode(deps, settings, twice), [...secrets, twice.code]), {
    reason: 'bad_code',
    message: 'Acme refuses the code: invalid_grant.',
    cause: '',
  });
});

test('a code that was never given is refused, an empty one unasked', async () => {
  const deps = oauthDeps();
  const callback = await signIn(deps, 'ada');

  const guessed = await oauthFailure(exchangeCode(deps, settings, { ...callback, code: 'never-given' }), ['never-given']);
  const asked = idp.requests.get('/token');
  const empty = await oauthFailure(exchangeCode(deps, settings, { ...callback, code: '' }));

  assert.deepEqual([guessed.reason, empty.reason], ['bad_code', 'bad_code']);
  assert.equal(idp.requests.get('/token'), asked);
});

test('a token made for another login is refused by its nonce', async () => {
  const deps = oauthDeps();

  const failure = await oauthFailure(exchangeCode(deps, settings, { ...(await signIn(deps, 'ada')), nonce: 'of another login' }), [nonce]);

  assert.equal(failure.reason, 'bad_token');
});

test('a callback that another issuer has sent is refused, and so is one without issuer where one is promised', async () => {
  const deps = oauthDeps();
  const { iss, ...unsigned } = await signIn(deps, 'ada');
  const asked = idp.requests.get('/token');

  const foreign = await oauthFailure(exchangeCode(deps, settings, { ...unsigned, iss: 'https://evil.example' }));
  const missing = await oauthFailure(exchangeCode(deps, settings, unsigned));

  assert.deepEqual([iss, foreign.reason, missing.reason], [idp.issuer, 'bad_code', 'bad_code']);
  assert.equal(idp.requests.get('/token'), asked, 'the code went out to nobody');
});

test('a provider that wants the secret in the header gets it there, whatever signs it has', async () => {
  await using strict = await startProvider({ clientAuthentication: 'basic' });
  const provider = { ...providerAt(strict), clientAuthentication: 'basic' } as const;
  const deps = oauthDeps();

  const profile = await exchangeCode(deps, provider, await signIn(deps, 'ada', strict));

  assert.equal(profile.subject, 'ada');
  assert.match(deps.egress.requests.find(({ url }) => url.endsWith('/token'))?.headers['authorization'] ?? '', /^Basic /);
});

test('discovery document and keys are read once, and again when they are old', async () => {
  await using fresh = await startProvider();
  const deps = oauthDeps();
  const counts = (): unknown[] => ['/.well-known/openid-configuration', '/jwks'].map((path) => fresh.requests.get(path));
  const login = async (): Promise<unknown> => exchangeCode(deps, providerAt(fresh), await signIn(deps, 'ada', fresh));

  await login();
  await login();
  assert.deepEqual(counts(), [1, 1]);
  deps.clock.advance(301_000);
  await login();
  assert.deepEqual(counts(), [1, 2]);
  deps.clock.advance(200_000);
  await login();
  assert.deepEqual(counts(), [1, 2]);
});

test('the discovery document is read again after an hour, once for all who ask at the same time', async () => {
  await using fresh = await startProvider();
  const deps = oauthDeps();
  const ask = (): Promise<string> => authorizationUrl(deps, providerAt(fresh), { redirectUri, state, nonce, codeChallenge });

  const answer = fresh.hold('/.well-known/openid-configuration');
  const asked = Promise.all([ask(), ask(), ask()]);
  await until('the document is asked for', () => fresh.requests.has('/.well-known/openid-configuration'));
  answer();
  await asked;
  assert.equal(fresh.requests.get('/.well-known/openid-configuration'), 1);
  deps.clock.advance(3_599_000);
  await ask();
  assert.equal(fresh.requests.get('/.well-known/openid-configuration'), 1);
  deps.clock.advance(1_000);
  await Promise.all([ask(), ask()]);

  assert.equal(fresh.requests.get('/.well-known/openid-configuration'), 2);
});

test('a new key of the provider is fetched, but not more than once a minute', async () => {
  await using rotating = await startProvider();
  const deps = oauthDeps();
  const provider = providerAt(rotating);
  await exchangeCode(deps, provider, await signIn(deps, 'ada', rotating));
  await rotating.rotateKeys();

  deps.clock.advance(58_000);
  const early = await oauthFailure(exchangeCode(deps, provider, await signIn(deps, 'ada', rotating)));
  assert.deepEqual([early.reason, rotating.requests.get('/jwks')], ['bad_token', 1]);
  deps.clock.advance(3_000);
  const profile = await exchangeCode(deps, provider, await signIn(deps, 'ada', rotating));

  assert.deepEqual([profile.subject, rotating.requests.get('/jwks')], ['ada', 2]);
});

test('a token that has expired by our clock is refused, half a minute forgiven', async () => {
  const deps = oauthDeps();
  const [inTime, late] = [await signIn(deps, 'ada'), await signIn(deps, 'ada')];

  deps.clock.advance(620_000);
  assert.equal((await exchangeCode(deps, settings, inTime)).subject, 'ada');
  deps.clock.advance(15_000);

  assert.equal((await oauthFailure(exchangeCode(deps, settings, late))).reason, 'bad_token');
});

test('a provider that speaks of another account beside the token is not believed', async () => {
  await using twofold = await startProvider();
  const deps = oauthDeps();
  const callback = await signIn(deps, 'ada', twofold);
  twofold.answerInstead('/me', (_request, response) => void response.setHeader('content-type', 'application/json').end('{"sub":"bob"}'));

  assert.equal((await oauthFailure(exchangeCode(deps, providerAt(twofold), callback))).reason, 'bad_token');
});

test('a provider that is too slow is given up, and its code may be tried again', async () => {
  await using slow = await startProvider();
  const deps = oauthDeps({ requestMsMax: 50 });
  const callback = await signIn(oauthDeps(), 'ada', slow);
  const answer = slow.hold('/.well-known/openid-configuration');

  assert.equal((await oauthFailure(exchangeCode(deps, providerAt(slow), callback))).reason, 'provider_unavailable');
  answer();
  const profile = await exchangeCode({ ...oauthDeps(), issuers: deps.issuers }, providerAt(slow), callback);

  assert.equal(profile.subject, 'ada');
});

async function startProvider(options: Partial<OidcProviderOptions> = {}): Promise<OidcProvider> {
  return OidcProvider.start({ accounts, redirectUris: [redirectUri], ...options });
}

function providerAt({ issuer, clientId, clientSecret }: OidcProvider): Provider {
  return { kind: 'oidc', name: 'acme', title: 'Acme', issuer, clientId, clientSecret };
}

/** What the callback brings after a login at the provider. */
async function signIn(deps: OAuthDeps, account: string, at: OidcProvider = idp) {
  const back = await at.signIn(await authorizationUrl(deps, providerAt(at), { redirectUri, state, nonce, codeChallenge }), account);
  assert.equal(`${back.origin}${back.pathname}`, redirectUri);
  assert.equal(back.searchParams.get('state'), state);
  return { code: back.searchParams.get('code') ?? '', iss: back.searchParams.get('iss') ?? '', codeVerifier, redirectUri, nonce };
}
