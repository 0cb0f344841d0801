import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { OidcProvider } from '../support/outside/oidc-provider.ts';

let cluster: Cluster;
let provider: OidcProvider;
let database: pg.Client;

const password = 'a long enough one';
const redirectUrl = 'https://app.example/signed-in';
const accounts = {
  ada: { email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@example.org', email_verified: true, name: 'Bob' },
  eve: { email: 'victim@example.org', email_verified: false, name: 'Eve' },
} as const;

before(async () => {
  cluster = await startCluster({ gateways: 2, stores: 2 });
  const callback = `${cluster.baseUrl}/api/svc/users/oauth2/house/callback`;
  provider = await OidcProvider.start({ redirectUris: [callback], accounts });
  database = new pg.Client(cluster.database.url);
  await database.connect();
  const house = { kind: 'oidc', title: 'The house', clientId: provider.clientId, clientSecret: provider.clientSecret, issuer: provider.issuer };
  const set = await cluster.client().patch('/api/settings', { app: { publicUrl: cluster.baseUrl }, oauth: { providers: { house } } });
  assert.equal(set.status, 200, set.text);
  for (const name of ['users', 'members']) {
    const collection = { name, type: 'auth', fields: [{ name: 'name', type: 'text' }], auth: { oauth2: { redirectUrls: [redirectUrl] } } };
    const made = await cluster.client().post('/api/svc', collection);
    assert.equal(made.status, 201, made.text);
  }
});

after(async () => {
  await database.end();
  await cluster.close();
  await provider[Symbol.asyncDispose]();
});

const verifierOf = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** A client with its browser: what it keeps between the steps of a sign-in. */
class Client {
  readonly verifier = verifierOf();
  cookie = '';

  async start(query: Record<string, string> = {}): Promise<Response> {
    const asked = new URLSearchParams({ redirectUrl, codeChallenge: challengeOf(this.verifier), ...query });
    const answer = await this.get(`/api/svc/users/oauth2/house?${asked.toString()}`);
    this.cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return answer;
  }

  /** Whatever gateway the address names: the browser's next request may go to another one. */
  get(address: string | URL): Promise<Response> {
    const { pathname, search } = new URL(address, cluster.baseUrl);
    return fetch(`${cluster.baseUrls[1] ?? ''}${pathname}${search}`, { redirect: 'manual', headers: { Cookie: this.cookie } });
  }

  /** From the start to the fragment that the client is given. */
  async walk(account: string | null): Promise<URLSearchParams> {
    const started = await this.start();
    assert.equal(started.status, 302);
    const back = await this.get(await provider.signIn(started.headers.get('location') ?? '', account));
    assert.equal(back.status, 302, await back.text());
    const url = new URL(back.headers.get('location') ?? '');
    assert.equal(`${url.origin}${url.pathname}`, redirectUrl);
    return new URLSearchParams(url.hash.slice(1));
  }

  async end(code: string, rest: object = {}): Promise<{ status: number; body: { token: string; record: Record<string, unknown> } }> {
    const body = { provider: 'house', code, codeVerifier: this.verifier, redirectUrl, ...rest };
    const answer = await cluster.guest(1).post('/api/svc/users/auth-with-oauth2', body);
    return { status: answer.status, body: answer.json<{ token: string; record: Record<string, unknown> }>() };
  }

  async signIn(account: string): Promise<{ token: string; record: Record<string, unknown> }> {
    const { status, body } = await this.end((await this.walk(account)).get('code') ?? '');
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }
}

async function signUp(email: string): Promise<string> {
  const made = await cluster.guest().post('/api/svc/users/records', { email, password, passwordConfirm: password });
  assert.equal(made.status, 201, made.text);
  return String(made.json()['id']);
}

test('an account at a provider opens one of ours, made at the first sign-in and found at the next', async () => {
  const first = await new Client().signIn('ada');
  assert.deepEqual([first.record['email'], first.record['verified'], first.record['name']], ['ada@example.org', true, 'Ada Lovelace']);
  const second = await new Client().signIn('ada');
  assert.equal(second.record['id'], first.record['id']);
  const sessions = await cluster.guest().get('/api/svc/users/sessions', { headers: { Authorization: `Bearer ${second.token}` } });
  assert.deepEqual(new Set(sessions.json<{ method: string }[]>().map(({ method }) => method)), new Set(['oauth2']));
});

test('the ways to sign in name the providers, and no secret', async () => {
  const shown = await cluster.guest().get('/api/svc/users/auth-methods');
  assert.equal(shown.status, 200, shown.text);
  const { oauth2 } = shown.json<{ oauth2: { enabled: boolean; providers: { name: string; title: string }[] } }>();
  assert.deepEqual(
    oauth2.providers.map(({ name, title }) => [name, title]),
    [['house', 'The house']],
  );
  assert.ok(!shown.text.includes(provider.clientSecret));
  const started = await fetch(
    `${cluster.baseUrl}/api/svc/users/oauth2/house?redirectUrl=${encodeURIComponent(redirectUrl)}&codeChallenge=${challengeOf('x')}`,
    {
      headers: { Accept: 'application/json' },
    },
  );
  assert.equal(started.status, 200);
  const { authUrl, state } = (await started.json()) as { authUrl: string; state: string };
  assert.equal(new URL(authUrl).searchParams.get('state'), state);
  assert.match(
    started.headers.get('set-cookie') ?? '',
    /^svc_oauth=[\w-]{43}; Path=\/api\/svc\/users\/oauth2\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
});

test('a verified address links to the account that has it, and takes from it what was never proven', async () => {
  const id = await signUp('bob@example.org');
  const { record } = await new Client().signIn('bob');
  assert.equal(record['id'], id);
  assert.equal(record['verified'], true);
  const answer = await cluster.guest().post('/api/svc/users/auth-with-password', { identity: 'bob@example.org', password });
  assert.equal(answer.status, 400, 'the password was set before the address was proven');
});

test('an address that the provider does not vouch for opens nobody’s account', async () => {
  await signUp('victim@example.org');
  const fragment = await new Client().walk('eve');
  assert.equal(fragment.get('error'), 'access_denied');
  assert.equal(fragment.get('code'), null);
  assert.equal((await cluster.guest().post('/api/svc/users/auth-with-password', { identity: 'victim@example.org', password })).status, 200);
});

test('who turns back at the provider comes back with an error', async () => {
  assert.equal((await new Client().walk(null)).get('error'), 'access_denied');
});

test('a code is good once, for the client that began, while it is fresh', async () => {
  const client = new Client();
  const code = (await client.walk('ada')).get('code') ?? '';
  assert.equal((await client.end(code)).status, 200);
  assert.equal((await client.end(code)).status, 400);

  for (const wrong of [{ codeVerifier: verifierOf() }, { redirectUrl: 'https://evil.example/' }, { provider: 'other' }]) {
    const other = new Client();
    assert.equal((await other.end((await other.walk('ada')).get('code') ?? '', wrong)).status, 400, JSON.stringify(wrong));
  }
  const late = new Client();
  const lateCode = (await late.walk('ada')).get('code') ?? '';
  await database.query(`update svc.proofs set expires_at = now() where kind = 'oauth-code'`);
  assert.equal((await late.end(lateCode)).status, 400);
  const twins = new Client();
  const twinCode = (await twins.walk('ada')).get('code') ?? '';
  const answers = await Promise.all([0, 1, 2].map(() => twins.end(twinCode)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('a callback in another browser, replayed, or with a state that is made up, signs nobody in', async () => {
  const victim = new Client();
  const attacker = new Client();
  const started = await attacker.start();
  const callback = await provider.signIn(started.headers.get('location') ?? '', 'ada');
  assert.equal((await victim.get(callback)).status, 400, 'no cookie');
  assert.equal((await attacker.get(callback)).status, 400, 'the state was used up by the try');

  const client = new Client();
  const begun = await client.start();
  const own = await provider.signIn(begun.headers.get('location') ?? '', 'ada');
  assert.equal((await client.get(own)).status, 302);
  assert.equal((await client.get(own)).status, 400, 'replayed');
  assert.equal((await client.get('/api/svc/users/oauth2/house/callback?code=x&state=made-up')).status, 400);
});

test('a redirect that is not on the list, a weak challenge and an unknown provider are refused before anybody is sent anywhere', async () => {
  for (const query of [
    { redirectUrl: 'https://app.example/signed-in/../evil' },
    { redirectUrl: 'https://app.example/signed-in?x=1' },
    { redirectUrl: 'https://evil.example/' },
    { codeChallenge: 'short' },
    { codeChallengeMethod: 'plain' },
  ])
    assert.equal((await new Client().start(query)).status, 400, JSON.stringify(query));
  assert.equal((await fetch(`${cluster.baseUrl}/api/svc/users/oauth2/nobody?redirectUrl=x`)).status, 404);
  await cluster.client().patch('/api/svc/members', { auth: { oauth2: { enabled: false } } });
  assert.equal((await fetch(`${cluster.baseUrl}/api/svc/members/oauth2/house?redirectUrl=x`)).status, 400);
});

test('while the provider is away the client is told so, and no code is given', async () => {
  const client = new Client();
  const started = await client.start();
  const callback = await provider.signIn(started.headers.get('location') ?? '', 'ada');
  provider.answerInstead('/token', (_request, response) => {
    response.statusCode = 503;
    response.end();
  });
  const back = await client.get(callback);
  assert.match(back.headers.get('location') ?? '', /#error=(temporarily_unavailable|access_denied)/);
});
