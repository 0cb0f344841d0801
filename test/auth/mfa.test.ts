import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';
import { Mailbox } from '../support/outside/mailbox.ts';

let cluster: Cluster;
let mailbox: Mailbox;
let database: pg.Client;

const password = 'a long enough one';

before(async () => {
  mailbox = await Mailbox.open();
  cluster = await startCluster({ gateways: 2, stores: 2, environment: mailbox.environment });
  database = new pg.Client(cluster.database.url);
  await database.connect();
  const made = await cluster.client().post('/api/svc', { name: 'users', type: 'auth' });
  assert.equal(made.status, 201, made.text);
});

after(async () => {
  await database.end();
  await cluster.close();
  await mailbox.close();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const post = (path: string, body: unknown, token?: string): Promise<HttpAnswer> =>
  cluster.guest(1).post(`/api/svc/users/${path}`, body, token === undefined ? {} : as(token));
const setMfa = (enabled: boolean): Promise<HttpAnswer> => cluster.client().patch('/api/svc/users', { auth: { mfa: { enabled } } });
/** As if the codes that were used had been used long ago. */
const forgetSteps = () => database.query('update svc.accounts set totp_step = 0');

async function signUp(email: string): Promise<string> {
  const made = await cluster.guest().post('/api/svc/users/records', { email, password, passwordConfirm: password });
  assert.equal(made.status, 201, made.text);
  return String(made.json()['id']);
}

async function tokenOf(identity: string): Promise<string> {
  const answer = await post('auth-with-password', { identity, password });
  assert.equal(answer.status, 200, answer.text);
  return String(answer.json()['token']);
}

/** RFC 6238, as an app computes it. */
function codeOf(secret: string): string {
  const bits = Array.from(secret, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(performance.timeOrigin / 30_000 + performance.now() / 30_000)));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  const at = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function enrol(token: string): Promise<{ readonly secret: string; readonly code: string; readonly recovery: readonly string[] }> {
  const begun = await post('totp', undefined, token);
  assert.equal(begun.status, 200, begun.text);
  const { secret, uri } = begun.json<{ secret: string; uri: string }>();
  assert.ok(uri.startsWith('otpauth://totp/svc:') && uri.includes(secret));
  const wrong = codeOf(secret) === '000000' ? '111111' : '000000';
  assert.equal((await post('totp/confirm', { code: wrong }, token)).status, 400);
  const code = codeOf(secret);
  const confirmed = await post('totp/confirm', { code }, token);
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret, code, recovery: confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes };
}

/** The first half of a sign-in by password. */
async function half(identity: string): Promise<string> {
  const answer = await post('auth-with-password', { identity, password });
  assert.equal(answer.status, 401, answer.text);
  return answer.json<{ data: { mfaId: string } }>().data.mfaId;
}

test('the codes are those of RFC 6238', async () => {
  const { base32Text, totpCode } = await import('../../store/auth/mfa/totp.ts');
  const secret = Buffer.from('12345678901234567890');
  assert.equal(base32Text(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(totpCode(secret, Math.floor(seconds / 30)), code);
});

test('with an app a sign-in takes two halves; a code is good once, and a recovery code stands in for it', async () => {
  await signUp('ada@example.org');
  const { secret, code: first, recovery } = await enrol(await tokenOf('ada'));
  assert.equal(recovery.length, 10);
  await setMfa(true);

  const mfaId = await half('ada');
  assert.equal((await post('auth-with-mfa', { mfaId, code: first })).status, 400, 'the code that confirmed the app was used');
  await forgetSteps();
  const now = codeOf(secret);
  const answers = await Promise.all([0, 1, 2].map(() => post('auth-with-mfa', { mfaId, code: now })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
  assert.equal((await post('auth-with-mfa', { mfaId: await half('ada'), code: now })).status, 400, 'one step, one sign-in');

  const code = recovery[3] ?? '';
  assert.equal((await post('auth-with-mfa', { mfaId: await half('ada'), code: code.toUpperCase().replace('-', ' ') })).status, 200);
  assert.equal((await post('auth-with-mfa', { mfaId: await half('ada'), code })).status, 400);
  await setMfa(false);
});

test('the second half may be any other method, of the same account', async () => {
  await signUp('two@example.org');
  await signUp('other@example.org');
  await setMfa(true);
  const code = async (email: string): Promise<string> => {
    await post('otp/request', { email });
    return (await mailbox.next(email)).code;
  };
  const mfaId = await half('two');
  assert.equal((await post('auth-with-password', { identity: 'two', password, mfaId })).status, 401, 'the same method twice is one');
  const again = await half('two');
  assert.equal((await post('auth-with-otp', { email: 'other@example.org', otp: await code('other@example.org'), mfaId: again })).status, 401);
  const last = await half('two');
  const signedIn = await post('auth-with-otp', { email: 'two@example.org', otp: await code('two@example.org'), mfaId: last });
  assert.equal(signedIn.status, 200, signedIn.text);
  await setMfa(false);
});

test('half a sign-in is good for five minutes, and its codes cannot be guessed', async () => {
  await signUp('guess@example.org');
  const { secret } = await enrol(await tokenOf('guess'));
  await setMfa(true);
  await forgetSteps();
  const old = await half('guess');
  await database.query(`update svc.proofs set expires_at = now() where kind = 'mfa'`);
  assert.equal((await post('auth-with-mfa', { mfaId: old, code: codeOf(secret) })).status, 400);
  const mfaId = await half('guess');
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await post('auth-with-mfa', { mfaId, code: `00000${guess % 10}` })).status);
  assert.equal(statuses.at(-1), 429, statuses.join());
  await setMfa(false);
  await database.query('delete from svc.attempts');
});

test('an app is taken away only by a code of it', async () => {
  await signUp('drop@example.org');
  const token = await tokenOf('drop');
  const { secret, recovery } = await enrol(token);
  assert.equal((await post('totp', undefined, token)).status, 409);
  const wrong = codeOf(secret) === '000000' ? '111111' : '000000';
  assert.equal((await post('totp/remove', { code: wrong }, token)).status, 400);
  assert.equal((await post('totp/remove', { code: recovery[0] }, token)).status, 204);
  assert.equal((await post('totp', undefined, token)).status, 200);
});

test('the secret of an app is in no answer but the first, no log, and sealed in the database', async () => {
  const id = await signUp('seal@example.org');
  const { secret } = await enrol(await tokenOf('seal'));
  const { rows } = await database.query<{ text: string }>('select account::text as text from svc.accounts account where record = $1', [id]);
  assert.ok(!rows[0]?.text.includes(secret));
  assert.ok(!cluster.allLogs.some((line) => line.includes(secret)));
});

test('root signs in as somebody, who sees it in the list of sessions; nobody else does, and nobody becomes root', async () => {
  const id = await signUp('watched@example.org');
  const own = await tokenOf('watched');
  const become = await cluster.client().post(`/api/svc/users/impersonate/${id}`);
  assert.equal(become.status, 200, become.text);
  const sessions = (await cluster.guest().get('/api/svc/users/sessions', as(own))).json<{ method: string }[]>();
  assert.deepEqual(
    sessions.map(({ method }) => method),
    ['impersonation', 'password'],
  );
  assert.equal((await cluster.guest().post(`/api/svc/users/impersonate/${id}`, undefined, as(own))).status, 403);
  assert.equal((await cluster.guest().post(`/api/svc/users/impersonate/${id}`)).status, 401);
  assert.equal((await cluster.client().post('/api/svc/users/impersonate/nobody')).status, 404);
  const root = await cluster.client().post('/api/svc/_rootUsers/records', { email: 'root@example.org', password });
  assert.equal((await cluster.client().post(`/api/svc/_rootUsers/impersonate/${String(root.json()['id'])}`)).status, 403);
});
