import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, pageWithAuthenticator } from '../support/browser.ts';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';

type Json = Readonly<Record<string, unknown>>;

let cluster: Cluster;
let browser: Browser;
let database: pg.Client;
let base: string;
let page: Page;

before(async () => {
  browser = await openBrowser();
  cluster = await startCluster({ gateways: 2, stores: 2 });
  database = new pg.Client(cluster.database.url);
  await database.connect();
  base = cluster.baseUrl.replace('127.0.0.1', 'localhost');
  await cluster.client().patch('/api/settings', { app: { publicUrl: base } });
  for (const [name, rules] of [
    ['users', undefined],
    ['staff', { createRule: null }],
  ] as const) {
    const made = await cluster.client().post('/api/svc', { name, type: 'auth', rules });
    assert.equal(made.status, 201, made.text);
  }
  ({ page } = await pageWithAuthenticator(browser));
  await page.goto(`${base}/device`);
});

after(async () => {
  await browser.close();
  await database.end();
  await cluster.close();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const post = (path: string, body: unknown, token?: string): Promise<HttpAnswer> =>
  cluster.guest(1).post(`/api/svc/users/${path}`, body, token === undefined ? {} : as(token));

interface Options {
  readonly sessionToken: string;
  readonly options: { readonly publicKey: Json };
}

async function options(path: string, body?: unknown, token?: string): Promise<Options> {
  const answer = await post(`${path}/options`, body, token);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Options>();
}

/** What the page's authenticator makes of options, as the browser writes it. */
function ceremony(kind: 'create' | 'get', { options: { publicKey } }: Options, on = page): Promise<Json> {
  const text = JSON.stringify(publicKey);
  const make = `navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${text}) })`;
  const use = `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${text}) })`;
  return on.evaluate(`(async () => (await ${kind === 'create' ? make : use}).toJSON())()`);
}

async function signUp(email: string): Promise<{ readonly token: string; readonly id: string }> {
  const begun = await options('passkey/signup', { email });
  const answer = await post('passkey/signup/verify', { ...(await ceremony('create', begun)), sessionToken: begun.sessionToken });
  assert.equal(answer.status, 200, answer.text);
  const { token, record } = answer.json<{ token: string; record: { id: string } }>();
  return { token, id: record.id };
}

test('an account is made with a passkey, and signs in with it, named or not', async () => {
  const { token, id } = await signUp('ada@example.org');
  assert.equal((await cluster.guest().get(`/api/svc/users/records/${id}`, as(token))).json()['verified'], false);
  for (const body of [{ identity: 'ada@example.org' }, { identity: 'ADA' }, {}, undefined]) {
    const begun = await options('passkey/login', body);
    const answer = await post('passkey/login/verify', { ...(await ceremony('get', begun)), sessionToken: begun.sessionToken });
    assert.equal(answer.status, 200, `${JSON.stringify(body)} ${answer.text}`);
    assert.equal(answer.json<{ record: { id: string } }>().record.id, id);
  }
});

test('a challenge is good once, for its own ceremony, while it is fresh', async () => {
  await signUp('once@example.org');
  const begun = await options('passkey/login', { identity: 'once@example.org' });
  const answer = { ...(await ceremony('get', begun)), sessionToken: begun.sessionToken };
  assert.equal((await post('passkey/register/verify', answer)).status, 401);
  assert.equal((await post('passkey/signup/verify', answer)).status, 400);
  assert.equal((await post('passkey/login/verify', answer)).status, 200);
  assert.equal((await post('passkey/login/verify', answer)).status, 400);

  const late = await options('passkey/login', { identity: 'once@example.org' });
  const tooLate = { ...(await ceremony('get', late)), sessionToken: late.sessionToken };
  await database.query(`update svc.proofs set expires_at = now() where kind = 'passkey-sign-in'`);
  assert.equal((await post('passkey/login/verify', tooLate)).status, 400);
});

test('an answer to another challenge, or for another origin or relying party, is refused', async () => {
  await signUp('origin@example.org');
  const [one, other] = [await options('passkey/login', {}), await options('passkey/login', {})];
  const crossed = { ...(await ceremony('get', one)), sessionToken: other.sessionToken };
  assert.equal((await post('passkey/login/verify', crossed)).status, 400);

  const begun = await options('passkey/login', { identity: 'origin@example.org' });
  const answer = { ...(await ceremony('get', begun)), sessionToken: begun.sessionToken };
  await cluster.client().patch('/api/settings', { app: { publicUrl: 'http://localhost:1' } });
  assert.equal((await post('passkey/login/verify', answer)).status, 400, 'another origin');
  await cluster.client().patch('/api/settings', { app: { publicUrl: base }, auth: { passkeys: { rpId: 'example.org' } } });
  const again = await options('passkey/login', {});
  assert.equal(again.options.publicKey['rpId'], 'example.org');
  await cluster.client().patch('/api/settings', { auth: { passkeys: { rpId: null } } });
});

test('a counter that falls behind is that of a copy', async () => {
  const { id } = await signUp('copy@example.org');
  await database.query(`update svc.passkeys set counter = 1000000 where record = $1`, [id]);
  const begun = await options('passkey/login', { identity: 'copy@example.org' });
  const answer = { ...(await ceremony('get', begun)), sessionToken: begun.sessionToken };
  assert.equal((await post('passkey/login/verify', answer)).status, 400);
});

test('an account adds a passkey, lists and removes them; nobody else does', async () => {
  const { token } = await signUp('more@example.org');
  const { page: second } = await pageWithAuthenticator(browser);
  await second.goto(`${base}/device`);
  assert.equal((await post('passkey/register/options', undefined)).status, 401);
  const begun = await options('passkey/register', undefined, token);
  const made = { ...(await ceremony('create', begun, second)), sessionToken: begun.sessionToken, name: 'The other one' };
  const stranger = await signUp('stranger@example.org');
  assert.equal((await post('passkey/register/verify', made, stranger.token)).status, 400, "another account's challenge");
  const again = await options('passkey/register', undefined, token);
  const added = await post(
    'passkey/register/verify',
    { ...(await ceremony('create', again, second)), sessionToken: again.sessionToken, name: 'The other one' },
    token,
  );
  assert.equal(added.status, 200, added.text);

  const list = async (who: string): Promise<{ id: string; name: string }[]> =>
    (await cluster.guest().get('/api/svc/users/passkeys', as(who))).json<{ id: string; name: string }[]>();
  const passkeys = await list(token);
  assert.deepEqual(
    passkeys.map(({ name }) => name),
    ['Passkey', 'The other one'],
  );
  const remove = (who: string): Promise<HttpAnswer> => cluster.guest().delete(`/api/svc/users/passkeys/${passkeys[1]?.id ?? ''}`, as(who));
  assert.equal((await remove(stranger.token)).status, 404);
  assert.equal((await remove(token)).status, 204);
  assert.equal((await list(token)).length, 1);
  await second.context().close();
});

test('a sign-up that the create rule or the fields refuse makes nothing', async () => {
  const asked = await cluster.guest().post('/api/svc/staff/passkey/signup/options', { email: 'staff@example.org' });
  const begun = asked.json<Options>();
  const answer = await cluster
    .guest()
    .post('/api/svc/staff/passkey/signup/verify', { ...(await ceremony('create', begun)), sessionToken: begun.sessionToken });
  assert.equal(answer.status, 401, answer.text);

  await signUp('twice@example.org');
  const taken = await options('passkey/signup', { email: 'TWICE@example.org' });
  const refused = await post('passkey/signup/verify', { ...(await ceremony('create', taken)), sessionToken: taken.sessionToken });
  assert.equal(refused.status, 400, refused.text);
  const { rows } = await database.query('select from svc.passkeys');
  assert.ok(rows.length > 0);
});

test('options for an unknown identity look like those for a known one, and are always the same', async () => {
  const allowed = async (identity: string): Promise<unknown> => (await options('passkey/login', { identity })).options.publicKey['allowCredentials'];
  const [first, second] = [await allowed('nobody@example.org'), await allowed('nobody@example.org')];
  assert.deepEqual(first, second);
  assert.equal((first as readonly unknown[]).length, 1);
});
