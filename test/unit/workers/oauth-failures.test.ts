import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { authorizationUrl } from '../../../workers/oauth/authorization-url.ts';
import type { Egress } from '../../../workers/oauth/egress.ts';
import { exchangeCode } from '../../../workers/oauth/exchange-code.ts';
import type { Provider } from '../../../workers/oauth/provider.ts';
import { OAuthReceiver, type ReceiverAnswer } from '../../support/outside/oauth-receiver.ts';
import { until } from '../../support/until.ts';
import { codeChallenge, codeVerifier, nonce, oauthDeps, oauthFailure, redirectUri, state } from './oauth-fixture.ts';

const secrets = ['the-secret', 'the-code', 'the-access-token', codeVerifier];
const callback = { code: 'the-code', codeVerifier, redirectUri, nonce };
const discovery = '/.well-known/openid-configuration';
let receiver: OAuthReceiver;

beforeEach(async () => {
  receiver = await OAuthReceiver.start();
  receiver.answer('/token', { json: { access_token: 'the-access-token', token_type: 'bearer' } });
  receiver.answer('/user', { json: { id: 1, login: 'octocat' } });
  receiver.answer('/user/emails', { json: [] });
});
afterEach(() => receiver[Symbol.asyncDispose]());

const refusals: readonly (readonly [what: string, answer: ReceiverAnswer, reason: string])[] = [
  ['invalid_grant', { status: 400, json: { error: 'invalid_grant', error_description: 'the-code is used' } }, 'bad_code'],
  ['access_denied', { status: 400, json: { error: 'access_denied' } }, 'denied'],
  ['consent_required', { status: 400, json: { error: 'consent_required' } }, 'denied'],
  ['invalid_client', { status: 401, json: { error: 'invalid_client' } }, 'misconfigured'],
  ['a challenge', { status: 401, headers: { 'www-authenticate': 'Basic realm="the-secret"' }, json: {} }, 'misconfigured'],
  ['redirect_uri_mismatch', { status: 400, json: { error: 'redirect_uri_mismatch' } }, 'misconfigured'],
  ['an error that echoes', { status: 400, json: { error: 'the-code' } }, 'misconfigured'],
  ['temporarily_unavailable', { status: 400, json: { error: 'temporarily_unavailable' } }, 'provider_unavailable'],
  ['500', { status: 500, json: { error: 'the-code' } }, 'provider_unavailable'],
  ['503 as a page', { status: 503, body: '<h1>the-code</h1>' }, 'provider_unavailable'],
  ['429', { status: 429, body: '' }, 'provider_unavailable'],
  ['404', { status: 404, json: {} }, 'misconfigured'],
  ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, 'misconfigured'],
  ['a page', { status: 200, body: '<h1>the-code</h1>' }, 'provider_unavailable'],
  [
    'half of an object',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"access_token":"the-access-token"' },
    'provider_unavailable',
  ],
  ['a list', { status: 200, json: ['the-access-token'] }, 'bad_token'],
  ['no access token', { status: 200, json: { token_type: 'bearer', refresh_token: 'the-access-token' } }, 'bad_token'],
  ['a token of another type', { status: 200, json: { access_token: 'the-access-token', token_type: 'mac' } }, 'bad_token'],
  ['nesting without end', { status: 200, headers: { 'content-type': 'application/json' }, body: '['.repeat(100_000) }, 'provider_unavailable'],
];

for (const [what, answer, reason] of refusals) {
  test(`${what} of a token endpoint is ${reason}, and nothing that went there or back is told`, async () => {
    receiver.answer('/token', answer);

    assert.equal((await oauthFailure(exchangeCode(oauthDeps(), github(), callback), secrets)).reason, reason);
    assert.equal(receiver.at('/user').length, 0);
  });
}

test('what the interface answers instead of the account decides whose fault it is', async () => {
  const reasons: string[] = [];
  for (const answer of [
    { status: 401, json: {} },
    { status: 403, json: {} },
    { status: 502, body: '' },
    { status: 200, body: 'the-access-token' },
    { json: [] },
  ]) {
    receiver.answer('/user', answer);
    reasons.push((await oauthFailure(exchangeCode(oauthDeps(), github(), callback), secrets)).reason);
  }

  assert.deepEqual(reasons, ['bad_token', 'misconfigured', 'provider_unavailable', 'provider_unavailable', 'bad_token']);
});

test('every request is bounded in time and size', async () => {
  const deps = oauthDeps();

  await exchangeCode(deps, github(), callback);

  assert.equal(deps.egress.requests.length, 3);
  for (const { timeoutMs, bytesMax } of deps.egress.requests) assert.ok(timeoutMs > 0 && timeoutMs <= 10_000 && bytesMax === 1_048_576);
});

test('all requests of an exchange share twenty seconds', async ({ mock }) => {
  const deps = oauthDeps();
  const now = performance.now.bind(performance);
  let passedMs = 0;
  mock.method(performance, 'now', () => now() + passedMs);
  const slow: Egress = {
    request: (input) => {
      passedMs += 11_000;
      return deps.egress.request(input);
    },
  };

  const failure = await oauthFailure(exchangeCode({ ...deps, egress: slow }, github(), callback), secrets);

  assert.deepEqual([failure.reason, failure.message], ['provider_unavailable', 'Code Host takes too long.']);
  const [first = 0, second = 0, ...rest] = deps.egress.requests.map(({ timeoutMs }) => timeoutMs);
  assert.ok(first === 10_000 && second > 0 && second <= 9_000 && rest.length === 0, `${first}, ${second}, ${rest.join()}`);
});

test('an answer without end is given up', async () => {
  receiver.answer('/user', { json: { id: 1, login: 'x'.repeat(1_100_000) } });

  const failure = await oauthFailure(exchangeCode(oauthDeps(), github(), callback), secrets);

  assert.deepEqual([failure.reason, failure.cause], ['provider_unavailable', 'the answer is larger than 1048576 bytes']);
});

test('an answer that does not come is given up, at each place', async () => {
  const deps = oauthDeps({ requestMsMax: 50 });
  receiver.fallSilent('/user/emails');
  assert.equal((await oauthFailure(exchangeCode(deps, github(), callback), secrets)).reason, 'provider_unavailable');
  receiver.fallSilent('/token');
  assert.equal((await oauthFailure(exchangeCode(deps, github(), callback), secrets)).reason, 'provider_unavailable');
});

test('a caller who has gone takes the request along', async () => {
  const gone = new AbortController();
  receiver.fallSilent('/token');
  const failing = oauthFailure(exchangeCode(oauthDeps(), github(), callback, gone.signal), secrets);
  await until('the code has arrived', () => receiver.at('/token').length === 1);

  gone.abort();

  assert.equal((await failing).reason, 'provider_unavailable');
});

test('a provider that cannot be reached is unavailable', async () => {
  const provider = github();
  await receiver[Symbol.asyncDispose]();

  assert.deepEqual(await oauthFailure(exchangeCode(oauthDeps(), provider, callback), secrets), {
    reason: 'provider_unavailable',
    message: 'Code Host does not answer.',
    cause: 'fetch failed',
  });
  receiver = await OAuthReceiver.start();
});

test('a discovery document that is missing, broken or of somebody else opens nothing', async () => {
  const deps = oauthDeps();
  const reasons: string[] = [];
  for (const answer of [
    { status: 404, json: {} },
    { status: 500, body: '' },
    { status: 200, body: '<html>' },
    { json: [] },
    { json: { issuer: 'https://evil.example', authorization_endpoint: 'https://evil.example/auth' } },
    { json: { issuer: receiver.url } },
    { json: { issuer: receiver.url, authorization_endpoint: 'javascript:alert(1)' } },
    { json: { issuer: receiver.url, authorization_endpoint: 'http://example.com/auth' } },
  ]) {
    receiver.answer(discovery, answer);
    reasons.push((await oauthFailure(authorizationUrl({ issuers: fresh() }, oidc(), asked))).reason);
  }

  assert.deepEqual(reasons, [
    'misconfigured',
    'provider_unavailable',
    'provider_unavailable',
    'misconfigured',
    'misconfigured',
    'misconfigured',
    'misconfigured',
    'misconfigured',
  ]);
  receiver.answer(discovery, { status: 500, body: '' });
  await oauthFailure(authorizationUrl(deps, oidc(), asked));
  receiver.answer(discovery, { json: { issuer: receiver.url, authorization_endpoint: `${receiver.url}/auth` } });
  assert.match(await authorizationUrl(deps, oidc(), asked), /\/auth\?/, 'a failure is not kept');
});

test('an issuer that is missing or no address, and an endpoint that is missing or unsafe, are named as the fault', async () => {
  const { issuer: _, ...nameless } = oidc();
  receiver.answer(discovery, { json: { issuer: receiver.url, authorization_endpoint: `${receiver.url}/auth` } });

  const faulty: readonly (() => Promise<unknown>)[] = [
    () => authorizationUrl(oauthDeps(), nameless, asked),
    () => authorizationUrl(oauthDeps(), { ...oidc(), issuer: 'not an address' }, asked),
    () => authorizationUrl(oauthDeps(), { ...oidc(), issuer: 'http://example.com' }, asked),
    () => exchangeCode(oauthDeps(), oidc(), callback),
    () => exchangeCode(oauthDeps(), { ...github(), tokenUrl: 'http://example.com/token' }, callback),
    () => exchangeCode(oauthDeps(), { ...github(), tokenUrl: 'nowhere' }, callback),
  ];
  for (const work of faulty) assert.equal((await oauthFailure(work(), secrets)).reason, 'misconfigured');
});

const asked = { redirectUri, state, nonce, codeChallenge };

function fresh() {
  return oauthDeps().issuers;
}

function github(): Provider {
  const { url } = receiver;
  return {
    kind: 'github',
    name: 'hub',
    title: 'Code Host',
    clientId: 'client',
    clientSecret: 'the-secret',
    tokenUrl: `${url}/token`,
    userInfoUrl: `${url}/user`,
  };
}

function oidc(): Provider {
  return { kind: 'oidc', name: 'acme', title: 'Acme', issuer: receiver.url, clientId: 'client', clientSecret: 'the-secret' };
}
