import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';

type Json = Readonly<Record<string, unknown>>;

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;
let database: pg.Client;

const rootUser = { email: 'root@example.org', password: 'only root knows this' };
const password = 'a long enough one';

before(async () => {
  cluster = await startCluster({
    gateways: 2,
    stores: 2,
    environment: { SVC_ROOT_EMAIL: rootUser.email, SVC_ROOT_PASSWORD: rootUser.password },
  });
  admin = cluster.client();
  guest = cluster.guest();
  database = new pg.Client(cluster.database.url);
  await database.connect();
  const made = await admin.post('/api/svc', { name: 'users', type: 'auth', fields: [{ name: 'bio', type: 'text' }] });
  assert.equal(made.status, 201, made.text);
});

after(async () => {
  await database.end();
  await cluster.close();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function signUp(email: string, rest: Json = {}): Promise<string> {
  const made = await guest.post('/api/svc/users/records', { email, password, passwordConfirm: password, ...rest });
  assert.equal(made.status, 201, made.text);
  return String(made.json()['id']);
}

async function signIn(identity: string, secret = password, collection = 'users'): Promise<string> {
  const answer = await guest.post(`/api/svc/${collection}/auth-with-password`, { identity, password: secret });
  assert.equal(answer.status, 200, answer.text);
  return String(answer.json()['token']);
}

const me = (id: string, token: string, gateway = 1): Promise<HttpAnswer> => cluster.guest(gateway).get(`/api/svc/users/records/${id}`, as(token));

async function count(table: 'accounts' | 'sessions', record: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(`select count(*) from svc.${table} where record = $1`, [record]);
  return Number(rows[0]?.count);
}

test('somebody signs up, signs in by either name in any case, and is known on every node', async () => {
  const id = await signUp('Ada@Example.org', { bio: 'mathematician' });
  for (const identity of ['Ada@Example.org', 'ADA@EXAMPLE.ORG', 'ada', 'Ada']) {
    const token = await signIn(identity);
    const own = await me(id, token);
    assert.equal(own.status, 200, own.text);
    assert.deepEqual(
      Object.keys(own.json()).filter((key) => !key.endsWith('_at')),
      ['id', 'username', 'email', 'verified', 'bio'],
    );
  }
  assert.equal((await guest.get(`/api/svc/users/records/${id}`)).status, 404, 'others do not see the account');
});

test('the refusal of a sign-in does not say what was wrong', async () => {
  await signUp('grace@example.org');
  const answers = await Promise.all(
    [
      { identity: 'grace@example.org', password: 'wrong password' },
      { identity: 'nobody@example.org', password },
      { identity: 'nobody', password },
      { identity: "x' or '1'='1", password },
    ].map((body) => guest.post('/api/svc/users/auth-with-password', body)),
  );
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(answers[0]?.status, 400);
});

test('what is no sign-in is refused with the field at fault', async () => {
  const tries: readonly (readonly [unknown, RegExp])[] = [
    [{}, /"identity".*"password"/],
    [{ identity: 1, password }, /"identity"/],
    [{ identity: 'ada', password: 'x'.repeat(73) }, /too_many_bytes/],
    [[], /"code":400/],
    [{ identity: 'ada', password: ['a'] }, /"password"/],
  ];
  for (const [body, text] of tries) {
    const answer = await guest.post('/api/svc/users/auth-with-password', body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, text);
  }
  assert.equal((await guest.post('/api/svc/nothing/auth-with-password', { identity: 'a', password })).status, 404);
  await admin.post('/api/svc', { name: 'notes', fields: [] });
  assert.equal((await guest.post('/api/svc/notes/auth-with-password', { identity: 'a', password })).status, 400);
});

test('a sign-up that must not be is refused, naming every field at fault, and leaves nothing', async () => {
  await signUp('taken@example.org', { username: 'taken' });
  const tries: readonly (readonly [Json, Readonly<Record<string, string>>])[] = [
    [{ email: 'a1@example.org' }, { password: 'required' }],
    [{ email: 'a1@example.org', password }, { passwordConfirm: 'required' }],
    [{ email: 'a1@example.org', password, passwordConfirm: 'another one' }, { passwordConfirm: 'not_confirmed' }],
    [{ email: 'a1@example.org', password: 'short', passwordConfirm: 'short' }, { password: 'too_short' }],
    [{ email: 'a1@example.org', password: 'é'.repeat(37), passwordConfirm: 'é'.repeat(37) }, { password: 'too_many_bytes' }],
    [{ email: 'a1@example.org', password, passwordConfirm: password, verified: true }, { verified: 'not_changeable' }],
    [{ email: 'TAKEN@example.org', password, passwordConfirm: password }, { email: 'not_unique' }],
    [{ email: 'a1@example.org', username: 'Taken', password, passwordConfirm: password }, { username: 'not_unique' }],
    [{ email: 'a1@example.org', username: 'taken@example.org', password, passwordConfirm: password }, { username: 'pattern_mismatch' }],
    [{ email: 'a1@example.org', username: 'tаken', password, passwordConfirm: password }, { username: 'pattern_mismatch' }],
    [{ password, passwordConfirm: password }, { email: 'required' }],
    [
      { email: 'no address', password: 1, verified: false },
      { verified: 'not_changeable', password: 'invalid_type', passwordConfirm: 'required', email: 'invalid_type' },
    ],
  ];
  for (const [body, faults] of tries) {
    const answer = await guest.post('/api/svc/users/records', body);
    assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`);
    const data = answer.json<{ data: Readonly<Record<string, { code: string }>> }>().data;
    assert.deepEqual(Object.fromEntries(Object.entries(data).map(([field, { code }]) => [field, code])), faults);
  }
  assert.equal((await admin.get('/api/svc/users/records?filter=email~"a1@"')).json()['totalItems'], 0);
});

test('of many who sign up at once with like addresses each gets a name of its own, and of equal ones one wins', async () => {
  const like = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      cluster.guest(index % 2).post('/api/svc/users/records', { email: `linus@host${index}.org`, password, passwordConfirm: password }),
    ),
  );
  assert.deepEqual(
    like.map(({ status }) => status),
    like.map(() => 201),
    like.map(({ text }) => text).join(),
  );
  assert.equal(new Set(like.map((answer) => answer.json()['username'])).size, 6);
  const equal = await Promise.all(
    ['same@example.org', 'SAME@example.org', 'Same@example.org', 'same@Example.org'].map((email, index) =>
      cluster.guest(index % 2).post('/api/svc/users/records', { email, username: `same${index}`, password, passwordConfirm: password }),
    ),
  );
  assert.deepEqual(
    equal.map(({ status }) => String(status)).toSorted((a, b) => a.localeCompare(b)),
    ['201', '400', '400', '400'],
  );
});

test('forged, altered and foreign tokens are refused on every route, and change nothing', async () => {
  const id = await signUp('forge@example.org');
  const token = await signIn('forge@example.org');
  const [header = '', claims = '', signature = ''] = token.split('.');
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json;
  const forged = [
    `${part({ alg: 'none' })}.${claims}.`,
    `${part({ alg: 'none', typ: 'JWT' })}.${claims}.${signature}`,
    `${part({ alg: 'HS256', typ: 'JWT' })}.${claims}.${signature}`,
    `${header}.${part({ ...said, aud: 'rootusers000' })}.${signature}`,
    `${header}.${part({ ...said, exp: 9_999_999_999 })}.${signature}`,
    `${part({ alg: 'EdDSA', typ: 'JWT', kid: 'unknown' })}.${claims}.${signature}`,
    `${part({ alg: 'EdDSA', typ: 'JWT', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } })}.${claims}.${signature}`,
    `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `${header}.${claims}`,
    'a.b.c',
    '....',
  ];
  for (const one of forged) {
    assert.equal((await me(id, one)).status, 401, one);
    assert.equal((await guest.get('/api/svc', as(one))).status, 401, one);
    assert.equal((await guest.post('/api/svc/users/logout', undefined, as(one))).status, 401, one);
  }
  assert.equal((await me(id, token)).status, 200);
  assert.equal((await guest.post('/api/svc/users/auth-with-password', { identity: 'forge@example.org', password }, as('a.b.c'))).status, 200);
});

test('after the answer of a logout no node accepts the token; other sessions live on', async () => {
  const id = await signUp('leaver@example.org');
  const [leaving, staying] = [await signIn('leaver@example.org'), await signIn('leaver@example.org')];
  assert.equal((await guest.post('/api/svc/users/logout', undefined, as(leaving))).status, 204);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => me(id, leaving, index % 2)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]));
  assert.equal((await me(id, staying)).status, 200);
  assert.equal((await guest.post('/api/svc/users/logout')).status, 401);
  assert.equal((await admin.post('/api/svc/users/logout')).status, 403);
});

test('a new password needs the present one and ends the other sessions', async () => {
  const id = await signUp('changer@example.org');
  const [mine, others] = [await signIn('changer@example.org'), await signIn('changer@example.org')];
  const change = (body: Json, token = mine): Promise<HttpAnswer> => guest.patch(`/api/svc/users/records/${id}`, body, as(token));
  const fresh = { password: 'another password', passwordConfirm: 'another password' };
  const refusals: readonly (readonly [Json, number, RegExp])[] = [
    [fresh, 400, /"oldPassword":\{"code":"required"/],
    [{ ...fresh, oldPassword: 'wrong one' }, 400, /"oldPassword":\{"code":"wrong_password"/],
    [{ ...fresh, oldPassword: null }, 400, /oldPassword/],
    [{ password: 'another password', oldPassword: password }, 400, /"passwordConfirm":\{"code":"required"/],
    [{ email: 'mine@example.org' }, 400, /"email":\{"code":"not_changeable"/],
    [{ verified: true }, 400, /"verified"/],
  ];
  for (const [body, status, text] of refusals) {
    const answer = await change(body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, text);
  }
  assert.equal((await guest.patch(`/api/svc/users/records/${id}`, { ...fresh, oldPassword: password })).status, 404, 'a guest does not even see it');
  assert.equal((await me(id, others)).status, 200, 'nothing has been changed so far');
  assert.equal((await change({ ...fresh, oldPassword: password, bio: 'new' })).json()['bio'], 'new');
  assert.deepEqual([(await me(id, mine)).status, (await me(id, others)).status], [200, 401]);
  await signIn('changer@example.org', 'another password');
  assert.equal((await guest.post('/api/svc/users/auth-with-password', { identity: 'changer@example.org', password })).status, 400);
  assert.equal((await admin.patch(`/api/svc/users/records/${id}`, { password: 'given by root' })).status, 200);
  assert.equal((await me(id, mine)).status, 401, 'a password that somebody else sets ends every session');
});

test('two changes of one password at once: one holds, and the other says so', async () => {
  const id = await signUp('twice@example.org');
  const token = await signIn('twice@example.org');
  const change = (fresh: string): Promise<HttpAnswer> =>
    guest.patch(`/api/svc/users/records/${id}`, { password: fresh, passwordConfirm: fresh, oldPassword: password }, as(token));
  const answers = await Promise.all([change('first of two'), change('second of two')]);
  const won = answers.filter(({ status }) => status === 200).length;
  assert.ok(won >= 1, answers.map(({ text }) => text).join());
  for (const { status } of answers) assert.ok([200, 400, 409].includes(status));
  const good = await Promise.all(
    ['first of two', 'second of two'].map((secret) =>
      guest.post('/api/svc/users/auth-with-password', { identity: 'twice@example.org', password: secret }),
    ),
  );
  assert.equal(good.filter(({ status }) => status === 200).length, 1);
});

test('with its record an account and its sessions go, and a later record of the same id is another account', async () => {
  for (const remove of ['record', 'truncate', 'by hand'] as const) {
    await admin.post('/api/svc', { name: 'members', type: 'auth' });
    await admin.post('/api/svc/members/records', { id: 'm1', email: 'm@example.org', password });
    const token = await signIn('m@example.org', password, 'members');
    if (remove === 'record') assert.equal((await guest.delete('/api/svc/members/records/m1', as(token))).status, 204);
    if (remove === 'truncate') assert.equal((await admin.post('/api/svc/members/truncate')).status, 200);
    if (remove === 'by hand') await database.query('delete from data.members');
    assert.deepEqual([await count('accounts', 'm1'), await count('sessions', 'm1')], [0, 0], remove);
    assert.equal((await admin.post('/api/svc/members/records', { id: 'm1', email: 'n@example.org', password: 'of somebody else' })).status, 201);
    assert.equal((await guest.get('/api/svc/members/records/m1', as(token))).status, 401, remove);
    assert.equal((await admin.delete('/api/svc/members')).status, 204);
    assert.deepEqual([await count('accounts', 'm1'), await count('sessions', 'm1')], [0, 0]);
  }
});

test('a collection that is renamed keeps its sessions', async () => {
  await admin.post('/api/svc', { name: 'staff', type: 'auth' });
  await admin.post('/api/svc/staff/records', { id: 's1', email: 's@example.org', password });
  const token = await signIn('s@example.org', password, 'staff');
  await admin.patch('/api/svc/staff', { name: 'crew' });
  assert.equal((await cluster.guest(1).get('/api/svc/crew/records/s1', as(token))).status, 200);
  assert.equal((await cluster.guest(1).get('/api/svc/staff/records/s1', as(token))).status, 404);
});

test('root users do what the admin key does; users and guests do not', async () => {
  const root = as(await signIn(rootUser.email, rootUser.password, '_rootUsers'));
  const user = as(await signIn('Ada'));
  assert.equal((await guest.get('/api/svc', root)).status, 200);
  assert.equal((await guest.post('/api/svc', { name: 'by_root' }, root)).status, 201);
  assert.equal((await guest.post('/api/svc/_rootUsers/records', { email: 'second@example.org', password }, root)).status, 201);
  assert.equal((await guest.get('/api/svc/_rootUsers/records', root)).json()['totalItems'], 2);
  for (const path of ['/api/svc', '/api/svc/users', '/api/svc/_rootUsers/records']) {
    assert.equal((await guest.get(path, user)).status, 403, path);
    assert.equal((await guest.get(path)).status, 401, path);
  }
  assert.equal((await guest.post('/api/svc/_rootUsers/records', { email: 'x@example.org', password, passwordConfirm: password })).status, 401);
  for (const answer of [
    await admin.patch('/api/svc/_rootUsers', { rules: { listRule: '' } }),
    await admin.delete('/api/svc/_rootUsers'),
    await admin.post('/api/svc/_rootUsers/truncate'),
  ]) {
    assert.equal(answer.status, 403, answer.text);
  }
});

test('an auth collection keeps its own fields, whatever its list of fields becomes', async () => {
  const taken = await admin.post('/api/svc', { name: 'people', type: 'auth', fields: [{ name: 'email', type: 'text' }] });
  assert.equal(taken.status, 400);
  assert.match(taken.text, /"fields\.0\.name":\{"code":"reserved_name"/);
  await admin.post('/api/svc', {
    name: 'people',
    type: 'auth',
    fields: [{ name: 'nick', type: 'text' }],
    indexes: [{ fields: ['email', '-created_at'] }],
  });
  const changed = await admin.patch('/api/svc/people', { fields: [{ name: 'age', type: 'number' }] });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await admin.patch('/api/svc/people', { type: 'base' })).status, 400);
  const made = await admin.post('/api/svc/people/records', { email: 'p@example.org', password, age: 7, verified: true });
  assert.deepEqual([made.json()['verified'], made.json()['age'], made.json()['username']], [true, 7, 'p']);
  await signIn('p@example.org', password, 'people');
});

test('secrets are in no answer, event or log', async () => {
  const id = await signUp('secret@example.org');
  const token = await signIn('secret@example.org');
  const { rows } = await database.query<{ text: string }>("select coalesce(old, '') || coalesce(new, '') as text from svc.outbox");
  const everything = [
    ...rows.map(({ text }) => text),
    ...cluster.allLogs,
    (await admin.get(`/api/svc/users/records/${id}`)).text,
    (await admin.get('/api/svc/users/records')).text,
    (await admin.get('/api/svc')).text,
    (await guest.get('/openapi.json')).text,
  ].join('\n');
  for (const secret of [password, rootUser.password, token, '$2b$', 'password_hash']) assert.ok(!everything.includes(secret), secret);
  for (const filter of ['password_hash != null', 'password != null', 'token_id != null', 'svc.accounts.password_hash != ""']) {
    assert.equal((await admin.get(`/api/svc/users/records?filter=${encodeURIComponent(filter)}`)).status, 400, filter);
  }
});

test('a batch signs up under the same rules, and changes passwords for root alone; a bulk change sets none', async () => {
  const sign = (email: string): Json => ({ method: 'POST', path: '/api/svc/users/records', body: { email, password, passwordConfirm: password } });
  const made = await guest.post('/api/batch', { requests: [sign('batch1@example.org'), sign('batch2@example.org')] });
  assert.equal(made.status, 200, made.text);
  const token = await signIn('batch1@example.org');
  const id = String(made.json<readonly { body: Json }[]>()[0]?.body['id']);
  const change = (oldPassword: string): Json => ({
    requests: [
      { method: 'PATCH', path: `/api/svc/users/records/${id}`, body: { password: 'by a batch', passwordConfirm: 'by a batch', oldPassword } },
    ],
  });
  assert.equal((await guest.post('/api/batch', change(password), as(token))).status, 400);
  assert.equal((await admin.post('/api/batch', change(''))).status, 200);
  await signIn('batch1@example.org', 'by a batch');
  assert.equal((await admin.patch('/api/svc/users/records?filter=id!=""', { password: 'one for all' })).status, 400);
});
