import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';

let cluster: Cluster;
let database: pg.Client;

const password = 'a long enough one';

before(async () => {
  cluster = await startCluster({ gateways: 3, stores: 2 });
  database = new pg.Client(cluster.database.url);
  await database.connect();
  const made = await cluster.client().post('/api/svc', { name: 'users', type: 'auth', auth: { tokenDuration: 3_600 } });
  assert.equal(made.status, 201, made.text);
  await cluster.client().post('/api/svc', { name: 'members', type: 'auth' });
});

after(async () => {
  await database.end();
  await cluster.close();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'a test' } });

async function signUp(email: string): Promise<string> {
  const made = await cluster.guest().post('/api/svc/users/records', { email, password, passwordConfirm: password });
  assert.equal(made.status, 201, made.text);
  return String(made.json()['id']);
}

async function signIn(identity: string, gateway = 0): Promise<string> {
  const answer = await cluster
    .guest(gateway)
    .post('/api/svc/users/auth-with-password', { identity, password }, { headers: { 'User-Agent': 'a test' } });
  assert.equal(answer.status, 200, answer.text);
  return String(answer.json()['token']);
}

const refresh = (token: string, gateway = 0): Promise<HttpAnswer> => cluster.guest(gateway).post('/api/svc/users/refresh', undefined, as(token));

const isGood = async (token: string, gateway = 1): Promise<boolean> =>
  (await cluster.guest(gateway).get('/api/svc/users/sessions', as(token))).status === 200;

interface Claims {
  readonly sid: string;
  readonly jti: string;
  readonly exp: number;
  readonly iat: number;
}

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}

/** Lets the grace of the session's last refresh pass. */
const passGrace = (token: string) => database.query(`update svc.sessions set previous_until = now() where id = $1`, [claimsOf(token).sid]);

test('a refresh gives the session a new token, and for a moment the old one is good beside it', async () => {
  await signUp('ada@example.org');
  const first = await signIn('ada');
  const answer = await refresh(first, 1);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const second = String(answer.json()['token']);
  assert.equal(claimsOf(second).sid, claimsOf(first).sid);
  assert.notEqual(claimsOf(second).jti, claimsOf(first).jti);
  assert.deepEqual([await isGood(first), await isGood(second, 2)], [true, true]);

  await passGrace(first);

  assert.deepEqual([await isGood(first), await isGood(second, 2)], [false, true]);
});

test('a token lasts as long as the collection says', async () => {
  await signUp('hour@example.org');
  const { exp, iat } = claimsOf(await signIn('hour'));
  assert.equal(exp - iat, 3_600);
});

test('parallel refreshes all succeed and end with one token', async () => {
  await signUp('par@example.org');
  const first = await signIn('par');
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => refresh(first, index % 3)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 6 }, () => 200),
  );
  assert.equal(new Set(answers.map((answer) => claimsOf(String(answer.json()['token'])).jti)).size, 1);
});

test('a refresh with a token that was replaced ends the session, for whoever has it', async () => {
  await signUp('eve@example.org');
  const stolen = await signIn('eve');
  const renewed = String((await refresh(stolen)).json()['token']);
  await passGrace(stolen);

  const replayed = await refresh(stolen, 2);

  assert.equal(replayed.status, 401, replayed.text);
  assert.equal(await isGood(renewed), false);
  assert.equal((await refresh(renewed)).status, 401);
});

test('a refresh at another collection, without a token or with a foreign one changes nothing', async () => {
  await signUp('bob@example.org');
  const token = await signIn('bob');
  const other = await cluster.guest().post('/api/svc/members/refresh', undefined, as(token));
  const none = await cluster.guest().post('/api/svc/users/refresh');
  const admin = await cluster.client().post('/api/svc/users/refresh');
  const [header = '', claims = '', signature = ''] = token.split('.');
  const forged = await refresh(`${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`);
  assert.deepEqual([other.status, none.status, admin.status, forged.status], [403, 401, 401, 401]);
  assert.equal(await isGood(token), true);
});

test('an account lists its sessions, ends one, and signs out everywhere', async () => {
  const id = await signUp('carl@example.org');
  const [one, two, three] = [await signIn('carl'), await signIn('carl', 1), await signIn('carl', 2)];
  const sessions = (await cluster.guest().get('/api/svc/users/sessions', as(one))).json<readonly Record<string, unknown>[]>();
  assert.equal(sessions.length, 3);
  assert.deepEqual(
    sessions.map((session) => [session['id'], session['current'], session['method'], session['address'], session['user_agent']]),
    [three, two, one].map((token) => [claimsOf(token).sid, token === one, 'password', '127.0.0.1', 'a test']),
  );

  const ended = await cluster.guest(1).delete(`/api/svc/users/sessions/${claimsOf(two).sid}`, as(one));
  assert.equal(ended.status, 204, ended.text);
  assert.deepEqual([await isGood(one), await isGood(two), await isGood(three)], [true, false, true]);
  assert.equal((await cluster.guest(1).delete(`/api/svc/users/sessions/${claimsOf(two).sid}`, as(one))).status, 404);

  assert.equal((await cluster.guest(1).delete('/api/svc/users/sessions', as(one))).status, 204);
  assert.deepEqual([await isGood(one), await isGood(three)], [false, false]);
  const { rows } = await database.query(`select from svc.sessions where record = $1`, [id]);
  assert.equal(rows.length, 0);
});

test("nobody but root sees or ends another's sessions", async () => {
  const victim = await signUp('victim@example.org');
  await signUp('mallory@example.org');
  const token = await signIn('victim');
  const mallory = await signIn('mallory');
  const path = `/api/svc/users/sessions`;
  assert.equal((await cluster.guest().delete(`${path}/${claimsOf(token).sid}`, as(mallory))).status, 404);
  assert.equal((await cluster.guest().get(`${path}?record=${victim}`, as(mallory))).status, 403);
  assert.equal((await cluster.guest().get(`${path}?record=${victim}`)).status, 401);
  assert.equal((await cluster.guest().get(path)).status, 401);
  assert.equal(await isGood(token), true);

  const seen = await cluster.client().get(`${path}?record=${victim}`);
  assert.equal(seen.json<readonly unknown[]>().length, 1);
  assert.equal((await cluster.client().delete(`${path}?record=${victim}`)).status, 204);
  assert.equal(await isGood(token), false);
});

test('a new signing key signs on every node while tokens of the old one stay good', async () => {
  await signUp('kim@example.org');
  const old = await signIn('kim');
  const known = (await cluster.guest().get('/.well-known/jwks.json')).json<{ keys: readonly { kid: string; x: string }[] }>();
  assert.equal((await cluster.guest().post('/api/system/signing-keys')).status, 401);

  const rotated = await cluster.client().post('/api/system/signing-keys');

  assert.equal(rotated.status, 201, rotated.text);
  const { keys } = rotated.json<{ keys: readonly { kid: string }[] }>();
  assert.deepEqual(
    keys.slice(1).map(({ kid }) => kid),
    known.keys.map(({ kid }) => kid),
  );
  assert.deepEqual([await isGood(old, 0), await isGood(old, 1), await isGood(old, 2)], [true, true, true]);
  const fresh = await Promise.all([0, 1, 2].map((gateway) => signIn('kim', gateway)));
  for (const token of fresh) assert.deepEqual([await isGood(token, 0), await isGood(token, 1), await isGood(token, 2)], [true, true, true]);
});

test('of 10,000 requests after the answer of a logout, on the other nodes, none is accepted', async () => {
  for (let round = 0; round < 20; round += 1) {
    await signUp(`out${round}@example.org`);
    const token = await signIn(`out${round}`);
    const out = await cluster.guest(round % 3).post('/api/svc/users/logout', undefined, as(token));
    assert.equal(out.status, 204, out.text);
    const asked = await Promise.all(Array.from({ length: 500 }, (_, index) => isGood(token, (round + 1 + (index % 2)) % 3)));
    assert.ok(!asked.includes(true));
  }
});
