import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';
import { Mailbox } from '../support/outside/mailbox.ts';
import { until } from '../support/until.ts';

let cluster: Cluster;
let mailbox: Mailbox;
let database: pg.Client;

const password = 'a long enough one';

before(async () => {
  mailbox = await Mailbox.open();
  cluster = await startCluster({ gateways: 2, stores: 2, workers: 2, environment: mailbox.environment });
  database = new pg.Client(cluster.database.url);
  await database.connect();
  await make({ name: 'users', type: 'auth', fields: [{ name: 'bio', type: 'text' }] });
});

after(async () => {
  await database.end();
  await cluster.close();
  await mailbox.close();
});

async function make(collection: object): Promise<void> {
  const made = await cluster.client().post('/api/svc', collection);
  assert.equal(made.status, 201, made.text);
}

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const post = (path: string, body?: unknown, token?: string): Promise<HttpAnswer> =>
  cluster.guest(1).post(`/api/svc/users/${path}`, body, token === undefined ? {} : as(token));

async function signUp(email: string, secret = password): Promise<string> {
  const made = await cluster.guest().post('/api/svc/users/records', { email, password: secret, passwordConfirm: secret });
  assert.equal(made.status, 201, made.text);
  return String(made.json()['id']);
}

async function signIn(identity: string, secret = password): Promise<string> {
  const answer = await post('auth-with-password', { identity, password: secret });
  assert.equal(answer.status, 200, answer.text);
  return String(answer.json()['token']);
}

async function status(answer: Promise<HttpAnswer>): Promise<number> {
  return (await answer).status;
}

const isGood = async (token: string): Promise<boolean> => (await cluster.guest().get('/api/svc/users/sessions', as(token))).status === 200;
const account = async (id: string): Promise<Record<string, unknown>> => (await cluster.client().get(`/api/svc/users/records/${id}`)).json();
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

test('a code by mail makes an account, signs in once, and proves the address', async () => {
  const asked = await post('otp/request', { email: 'New@Example.org' });
  assert.equal(asked.status, 200, asked.text);
  assert.deepEqual(Object.keys(asked.json()), ['otpId']);
  const { code, subject, from, source } = await mailbox.next('New@Example.org');
  assert.equal(from, 'svc@example.org');
  assert.match(subject, /^\d{6} is your code/);
  assert.match(source, /Content-Type: text\/plain/);

  const wrong = await post('auth-with-otp', { email: 'new@example.org', otp: code === '000000' ? '000001' : '000000' });
  assert.equal(wrong.status, 400, wrong.text);
  const right = await post('auth-with-otp', { email: 'new@example.org', otp: code });
  assert.equal(right.status, 200, right.text);
  const { token, record } = right.json<{ token: string; record: Record<string, unknown> }>();
  assert.deepEqual([record['email'], record['verified']], ['New@Example.org', true]);
  assert.equal(await isGood(token), true);

  assert.equal(await status(post('auth-with-otp', { email: 'new@example.org', otp: code })), 400);
});

test('of parallel uses of one code exactly one signs in', async () => {
  await post('otp/request', { email: 'twin@example.org' });
  const { code } = await mailbox.next('twin@example.org');
  const answers = await Promise.all(Array.from({ length: 4 }, () => post('auth-with-otp', { email: 'twin@example.org', code })));
  assert.deepEqual(
    answers.map((answer) => answer.status).toSorted((one, other) => one - other),
    [200, 400, 400, 400],
  );
});

test('a code is good for five guesses, and an hour brings no more than six', async () => {
  const email = 'guess@example.org';
  await post('otp/request', { email });
  const first = await mailbox.next(email);
  const wrongCode = first.code === '111111' ? '222222' : '111111';
  for (let guess = 0; guess < 5; guess += 1) assert.equal(await status(post('auth-with-otp', { email, otp: wrongCode })), 400);
  assert.equal(await status(post('auth-with-otp', { email, otp: first.code })), 400, 'the code has had its fill of guesses');

  for (let more = 1; more < 8; more += 1) assert.equal(await status(post('otp/request', { email })), 200);
  for (let more = 1; more < 6; more += 1) await mailbox.next(email);
  await until('all mail is sent', async () => (await jobsOf(email)).every(({ state }) => state === 'done'));
  assert.equal((await jobsOf(email)).length, 6);
  assert.ok(!mailbox.mails.some(({ to }) => to === email));
});

async function jobsOf(email: string): Promise<readonly { state: string; title: string; id: string; last_error: string | null; attempts: number }[]> {
  const list = await cluster.client().get('/api/jobs?perPage=500');
  assert.equal(list.status, 200, list.text);
  return list
    .json<{ items: { state: string; title: string; id: string; last_error: string | null; attempts: number }[] }>()
    .items.filter(({ title }) => title.endsWith(email));
}

test('a new code takes the place of the last', async () => {
  const email = 'latest@example.org';
  await post('otp/request', { email });
  const first = await mailbox.next(email);
  await post('otp/request', { email });
  const second = await mailbox.next(email);
  if (first.code !== second.code) assert.equal(await status(post('auth-with-otp', { email, otp: first.code })), 400);
  assert.equal(await status(post('auth-with-otp', { email, otp: second.code })), 200);
});

test('where a guest may not sign up, the answer is the same and no mail is sent', async () => {
  await make({ name: 'staff', type: 'auth', rules: { createRule: null } });
  await make({ name: 'named', type: 'auth', fields: [{ name: 'name', type: 'text', required: true }] });
  for (const name of ['staff', 'named']) {
    const asked = await cluster.guest().post(`/api/svc/${name}/otp/request`, { email: `nobody@${name}.example` });
    assert.equal(asked.status, 200, asked.text);
    assert.deepEqual(await jobsOf(`${name}.example`), []);
  }
});

test('what registered an address before its owner loses it when the owner proves it', async () => {
  const email = 'victim@example.org';
  const id = await signUp(email, 'the thief knows it');
  const thief = await signIn(email, 'the thief knows it');
  await post('otp/request', { email });
  const { code } = await mailbox.next(email);
  assert.equal(await status(post('auth-with-otp', { email, otp: code })), 200);

  assert.equal((await account(id))['verified'], true);
  assert.equal(await isGood(thief), false);
  assert.equal(await status(post('auth-with-password', { identity: email, password: 'the thief knows it' })), 400);
});

test('a link by mail gives an account a new password, once, and ends its sessions', async () => {
  const id = await signUp('reset@example.org');
  const session = await signIn('reset@example.org');
  assert.equal(await status(post('request-password-reset', { email: 'RESET@example.org' })), 204);
  assert.equal(await status(post('request-password-reset', { email: 'unknown@example.org' })), 204);
  const { link } = await mailbox.next('reset@example.org');
  assert.match(link, /^http:\/\/localhost:\d+\/_svc_\/reset-password\?svc=users&token=[\w-]{43}$/);
  const token = tokenOf(link);
  const confirm = (secret: string, again = secret, proof = token): Promise<HttpAnswer> =>
    post('confirm-password-reset', { token: proof, password: secret, passwordConfirm: again });

  assert.equal(await status(confirm('short')), 400);
  assert.equal(await status(confirm('long enough now', 'but different')), 400);
  assert.equal(await status(confirm('long enough now', undefined, `${token.slice(0, -1)}_`)), 400);
  const answers = await Promise.all([confirm('long enough now'), confirm('long enough now')]);
  assert.deepEqual(
    answers.map((answer) => answer.status).toSorted((one, other) => one - other),
    [204, 400],
  );

  assert.equal(await isGood(session), false);
  assert.equal(await status(post('auth-with-password', { identity: 'reset', password })), 400);
  await signIn('reset', 'long enough now');
  assert.equal((await account(id))['verified'], true);
  assert.deepEqual(await jobsOf('unknown@example.org'), []);
});

test('a link that is half an hour old, or of another collection, is good for nothing', async () => {
  await make({ name: 'members', type: 'auth' });
  await signUp('old@example.org');
  await post('request-password-reset', { email: 'old@example.org' });
  const token = tokenOf((await mailbox.next('old@example.org')).link);
  const body = { token, password: 'long enough now', passwordConfirm: 'long enough now' };
  assert.equal((await cluster.guest().post('/api/svc/members/confirm-password-reset', body)).status, 400);
  await database.query(`update svc.proofs set expires_at = now() where kind = 'password-reset'`);
  assert.equal(await status(post('confirm-password-reset', body)), 400);
});

test('an address is verified by its link; asked for from a session, the session and the password stay', async () => {
  const id = await signUp('ver@example.org');
  const session = await signIn('ver@example.org');
  assert.equal(await status(post('request-verification', { email: 'ver@example.org' }, session)), 204);
  const token = tokenOf((await mailbox.next('ver@example.org')).link);
  assert.equal(await status(post('confirm-verification', { token })), 204);
  assert.equal(await status(post('confirm-verification', { token })), 400);
  assert.equal((await account(id))['verified'], true);
  assert.equal(await isGood(session), true);
  await signIn('ver@example.org');

  assert.equal(await status(post('request-verification', { email: 'ver@example.org' })), 204);
  assert.equal((await jobsOf('ver@example.org')).length, 1, 'nobody is asked twice');
});

test('verified by a link that a stranger asked for, an account keeps neither password nor sessions', async () => {
  const id = await signUp('strange@example.org', 'the thief knows it');
  const thief = await signIn('strange@example.org', 'the thief knows it');
  await post('request-verification', { email: 'strange@example.org' });
  await post('confirm-verification', { token: tokenOf((await mailbox.next('strange@example.org')).link) });
  assert.equal((await account(id))['verified'], true);
  assert.equal(await isGood(thief), false);
  assert.equal(await status(post('auth-with-password', { identity: 'strange@example.org', password: 'the thief knows it' })), 400);
});

test('an address changes by confirming the new one; the old one is told, and the sessions end', async () => {
  const id = await signUp('from@example.org');
  const session = await signIn('from@example.org');
  assert.equal(await status(post('request-email-change', { newEmail: 'to@example.org' })), 401);
  assert.equal(await status(post('request-email-change', { newEmail: 'to@example.org' }, session)), 204);
  const { link } = await mailbox.next('to@example.org');
  const notice = await mailbox.next('from@example.org');
  assert.match(notice.source, /to@example.org/);
  assert.equal((await account(id))['email'], 'from@example.org');

  assert.equal(await status(post('confirm-email-change', { token: tokenOf(link) })), 204);

  const changed = await account(id);
  assert.deepEqual([changed['email'], changed['verified']], ['to@example.org', true]);
  assert.equal(await isGood(session), false);
  await signIn('to@example.org');
});

test('with a stolen token an address does not change: an older session gives the password, and one that ended confirms nothing', async () => {
  const id = await signUp('theft@example.org');
  const session = await signIn('theft@example.org');
  await database.query(`update svc.sessions set created_at = now() - interval '11 minutes' where record = $1`, [id]);
  assert.equal(await status(post('request-email-change', { newEmail: 'thief@example.org' }, session)), 400);
  assert.equal(await status(post('request-email-change', { newEmail: 'thief@example.org', password: 'guessed wrong' }, session)), 400);
  assert.deepEqual(await jobsOf('thief@example.org'), []);
  assert.equal(await status(post('request-email-change', { newEmail: 'thief@example.org', password }, session)), 204);
  const token = tokenOf((await mailbox.next('thief@example.org')).link);
  await cluster.guest().delete('/api/svc/users/sessions', as(session));
  assert.equal(await status(post('confirm-email-change', { token })), 400);
  assert.equal((await account(id))['email'], 'theft@example.org');
});

test('the address of somebody else is not given away, and the answer does not say that it is taken', async () => {
  await signUp('taken@example.org');
  await signUp('wants@example.org');
  const session = await signIn('wants@example.org');
  assert.equal(await status(post('request-email-change', { newEmail: 'TAKEN@example.org' }, session)), 204);
  assert.deepEqual(await jobsOf('TAKEN@example.org'), []);
});

test('mail that is refused for now is tried again, and what is refused for good waits for root', async () => {
  await signUp('busy@example.org');
  mailbox.refusals = [{ code: 450, text: 'busy' }];
  await post('request-password-reset', { email: 'busy@example.org' });
  await until(
    'it waits',
    async () => (await jobsOf('busy@example.org'))[0]?.attempts === 1 && (await jobsOf('busy@example.org'))[0]?.state === 'waiting',
  );
  const [job] = await jobsOf('busy@example.org');
  assert.match(job?.last_error ?? '', /450/);
  assert.equal((await cluster.client().post(`/api/jobs/${job?.id ?? ''}/retry`)).status, 204);
  await mailbox.next('busy@example.org');

  mailbox.refusals = [{ code: 550, text: 'no such user' }];
  await post('request-verification', { email: 'busy@example.org' });
  await until('it has failed', async () => (await jobsOf('busy@example.org'))[0]?.state === 'failed');
  const [failed] = await jobsOf('busy@example.org');
  assert.equal((await cluster.guest().get('/api/jobs')).status, 401);
  assert.equal((await cluster.client().delete(`/api/jobs/${failed?.id ?? ''}`)).status, 204);
  assert.equal((await cluster.client().delete(`/api/jobs/${failed?.id ?? ''}`)).status, 404);
});

test('a mail that a worker took to its grave is sent by another', async () => {
  await signUp('grave@example.org');
  mailbox.acknowledges = false;
  await post('request-password-reset', { email: 'grave@example.org' });
  await mailbox.next('grave@example.org');
  await Promise.all([cluster.kill('worker', 0), cluster.kill('worker', 1)]);
  mailbox.acknowledges = true;
  assert.equal((await jobsOf('grave@example.org'))[0]?.state, 'running');
  await database.query(`update svc.jobs set lease_until = now() where state = 'running'`);

  await cluster.restart('worker', 0);

  await mailbox.next('grave@example.org');
  await until('it is done', async () => (await jobsOf('grave@example.org'))[0]?.state === 'done');
  await cluster.restart('worker', 1);
});

test('templates are of the collection; what is put into them is escaped', async () => {
  const path = '/api/svc/users/email-templates';
  const shown = await cluster.client().get(path);
  assert.equal(shown.status, 200, shown.text);
  const otp = { subject: 'Hello {EMAIL}', text: 'Code {OTP} for {APP_NAME}', html: '<p title="{APP_NAME}">{OTP}</p>' };
  await cluster.client().patch('/api/settings', { app: { name: 'A&B "<script>' } });
  assert.equal((await cluster.client().put(path, { otp })).status, 200);
  assert.equal((await cluster.client().put(path, { nonsense: otp })).status, 400);
  assert.equal((await cluster.guest().get(path)).status, 401);

  const tested = await cluster.client().post(`${path}/test`, { template: 'otp', to: 'tester@example.org' });

  assert.equal(tested.status, 202, tested.text);
  const mail = await mailbox.next('tester@example.org');
  assert.equal(mail.subject, 'Hello tester@example.org');
  assert.match(mail.source, /Code 123456 for A&B "<script>/);
  assert.match(mail.source, /<p title="A&#38;B &#34;&#60;script&#62;">123456<\/p>/);
  assert.equal((await cluster.client().put(path, { otp: null })).json<{ otp: { isDefault: boolean } }>().otp.isDefault, true);
  assert.equal((await cluster.client().post('/api/settings/test-email', { to: 'tester@example.org' })).status, 202);
  await mailbox.next('tester@example.org');
});

test('codes and tokens of mail stand in no log, and in the database only as digests', async () => {
  await post('otp/request', { email: 'log@example.org' });
  const { code } = await mailbox.next('log@example.org');
  await signUp('log2@example.org');
  await post('request-password-reset', { email: 'log2@example.org' });
  const token = tokenOf((await mailbox.next('log2@example.org')).link);
  const { rows } = await database.query<{ text: string }>(
    `select proof::text as text from svc.proofs proof union all select job::text from svc.jobs job`,
  );
  assert.ok(!rows.some(({ text }) => text.includes(token) || text.includes(`"${code}"`)));
  assert.ok(!cluster.allLogs.some((line) => line.includes(token) || line.includes(code)));
});
