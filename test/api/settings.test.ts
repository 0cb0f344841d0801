import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';

type Json = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

let cluster: Cluster;
let database: pg.Client;

before(async () => {
  cluster = await startCluster({
    gateways: 2,
    stores: 2,
    environment: { EMAIL_FROM_NAME: 'From the environment', EMAIL_API_KEY: 'environment-key-1', EMAIL_PROVIDER: 'resend' },
  });
  database = new pg.Client(cluster.database.url);
  await database.connect();
});

after(async () => {
  await database.end();
  await cluster.close();
});

const show = async (gateway = 1): Promise<Json> => (await cluster.client(gateway).get('/api/settings')).json<Json>();
const change = (body: unknown, gateway = 0): Promise<HttpAnswer> => cluster.client(gateway).patch('/api/settings', body);

test('settings come from root, the environment or the defaults, in this order, and the answer says whence', async () => {
  const first = await show();
  assert.equal(first['mail']?.['fromName'], 'From the environment');
  assert.equal(first['mail']?.['provider'], 'resend');
  assert.equal(first['auth']?.['bcryptCost'], 10);
  assert.equal(first['sources']?.['mail.fromName'], 'environment');

  const changed = await change({ mail: { fromName: 'From root' }, app: { name: 'Acme' } });

  assert.equal(changed.status, 200, changed.text);
  const second = await show();
  assert.deepEqual([second['mail']?.['fromName'], second['mail']?.['provider'], second['app']?.['name']], ['From root', 'resend', 'Acme']);
  assert.deepEqual([second['sources']?.['mail.fromName'], second['sources']?.['mail.provider']], ['settings', 'environment']);

  await change({ mail: { fromName: null }, app: { name: null } }, 1);
  assert.deepEqual([(await show(0))['mail']?.['fromName'], (await show(0))['app']?.['name']], ['From the environment', 'svc']);
});

test('a change merges deeply, and every node has it for the next request', async () => {
  for (let round = 0; round < 10; round += 1) {
    await change({ auth: { passkeys: { rpId: `host${round}.example` } } }, round % 2);
    const { auth } = await show((round + 1) % 2);
    assert.deepEqual([auth?.['bcryptCost'], auth?.['passkeys']], [10, { rpId: `host${round}.example`, origins: [] }]);
  }
});

test('changes at the same time are all kept', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => change({ oauth: { providers: { [`p${index}`]: { kind: 'oidc', clientId: `id${index}` } } } }, index % 2)),
  );
  assert.equal(Object.keys((await show())['oauth']?.['providers'] ?? {}).length, 8);
});

test('secrets are masked in answers, sealed in the database, and stay when they are sent back as they were shown', async () => {
  const secret = 'a-very-secret-client-secret';
  await change({ oauth: { providers: { github: { kind: 'github', clientId: 'me', clientSecret: secret } } }, mail: { apiSecret: secret } });
  const shown = await show();
  assert.ok(!JSON.stringify(shown).includes(secret) && !JSON.stringify(shown).includes('environment-key-1'));
  assert.equal(shown['mail']?.['apiKey'], '********');

  const { sources: _, ...back } = shown;
  assert.equal((await change(back)).status, 200);

  const [row] = (await database.query<{ saved: Buffer }>('select saved from svc.settings')).rows;
  assert.ok(!row?.saved.toString('latin1').includes(secret));
  assert.equal((await show())['mail']?.['apiSecret'], '********');
  assert.ok(!cluster.allLogs.some((line) => line.includes(secret)));
});

test('what is not a setting, or not a value of one, is refused by name, and nothing is changed', async () => {
  const before1 = await show();
  for (const [body, place] of [
    [{ nonsense: {} }, 'nonsense'],
    [{ mail: { smtpHost: 'x' } }, 'mail.smtpHost'],
    [{ mail: { provider: 'pigeon' } }, 'mail.provider'],
    [{ auth: { bcryptCost: 4 } }, 'auth.bcryptCost'],
    [{ app: { name: 'ok', publicUrl: 'javascript:alert(1)' } }, 'app.publicUrl'],
    [{ mail: 'resend' }, 'mail'],
    [{ rateLimits: { rules: [{ label: 'nope', maxRequests: 1, intervalSeconds: 1 }] } }, 'rateLimits.rules.0.label'],
  ] as const) {
    const answer = await change(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.json<{ data: object }>().data), [place]);
  }
  assert.equal((await change([])).status, 400);
  assert.deepEqual(await show(), before1);
});

test('settings are for root and the admin key', async () => {
  assert.equal((await cluster.guest().get('/api/settings')).status, 401);
  assert.equal((await cluster.guest().patch('/api/settings', { app: { name: 'x' } })).status, 401);
});

test('a password is hashed anew at its next sign-in when the cost has changed', async () => {
  await cluster.client().post('/api/svc', { name: 'users', type: 'auth' });
  const password = 'a long enough one';
  await cluster.guest().post('/api/svc/users/records', { email: 'ada@example.org', password, passwordConfirm: password });
  const hash = async (): Promise<string> =>
    (await database.query<{ password_hash: string }>('select password_hash from svc.accounts')).rows[0]?.password_hash ?? '';
  assert.match(await hash(), /^\$2b\$10\$/);
  await change({ auth: { bcryptCost: 11 } });

  const answers = await Promise.all(
    [0, 1, 0].map((gateway) => cluster.guest(gateway).post('/api/svc/users/auth-with-password', { identity: 'ada', password })),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.match(await hash(), /^\$2b\$11\$/);
  assert.equal((await cluster.guest().post('/api/svc/users/auth-with-password', { identity: 'ada', password })).status, 200);
});
