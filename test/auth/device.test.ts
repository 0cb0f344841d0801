import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';

let cluster: Cluster;
let database: pg.Client;

const password = 'a long enough one';
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

before(async () => {
  cluster = await startCluster({ gateways: 2, stores: 2, environment: { SVC_PUBLIC_URL: 'https://svc.example' } });
  database = new pg.Client(cluster.database.url);
  await database.connect();
  for (const name of ['users', 'members']) {
    const made = await cluster.client().post('/api/svc', { name, type: 'auth' });
    assert.equal(made.status, 201, made.text);
  }
});

after(async () => {
  await database.end();
  await cluster.close();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function signedIn(email: string, collection = 'users'): Promise<{ token: string; id: string }> {
  const made = await cluster.guest().post(`/api/svc/${collection}/records`, { email, password, passwordConfirm: password });
  const answer = await cluster.guest().post(`/api/svc/${collection}/auth-with-password`, { identity: email, password });
  assert.equal(answer.status, 200, answer.text);
  return { token: String(answer.json()['token']), id: String(made.json()['id']) };
}

interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

async function begin(body: object = {}): Promise<Device> {
  const answer = await cluster.guest().post('/api/oauth2/device/authorize', body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Device>();
}

const poll = (deviceCode: string, gateway = 0): Promise<HttpAnswer> =>
  cluster.guest(gateway).post('/api/oauth2/device/token', { grant_type: grantType, device_code: deviceCode });
const decide = (code: string, approve: boolean, token: string): Promise<HttpAnswer> =>
  cluster.guest(1).post('/api/oauth2/device/decide', { code, approve }, as(token));
const errorOf = async (answer: Promise<HttpAnswer>): Promise<unknown> => {
  const { status, json } = await answer.then((given) => ({ status: given.status, json: given.json() }));
  assert.equal(status, 400, JSON.stringify(json));
  return json['error'];
};
/** Lets the time between two polls pass. */
const wait = () => database.query(`update svc.device_grants set polled_at = polled_at - interval '1 minute'`);

test('a device is let in once its user approves, and its code is good once', async () => {
  const { token, id } = await signedIn('tv@example.org');
  const device = await begin({ client_id: 'A television', auth_svc: 'users' });
  assert.match(device.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  assert.deepEqual(
    [device.verification_uri, device.verification_uri_complete, device.expires_in, device.interval],
    ['https://svc.example/device', `https://svc.example/device?code=${device.user_code}`, 900, 5],
  );
  assert.equal(await errorOf(poll(device.device_code)), 'authorization_pending');

  const shown = await cluster.guest().get(`/api/oauth2/device?code=${device.user_code.toLowerCase().replace('-', '')}`);
  assert.equal(shown.status, 200, shown.text);
  assert.deepEqual([shown.json()['client_id'], shown.json()['auth_svc'], shown.json()['address']], ['A television', 'users', '127.0.0.1']);
  const approved = await decide(device.user_code, true, token);
  assert.equal(approved.status, 204, approved.text);

  const answers = await Promise.all([0, 1, 0, 1].map((gateway) => poll(device.device_code, gateway)));
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  const given = won[0]?.json<{ access_token: string; token_type: string; expires_in: number; record: { id: string } }>();
  assert.deepEqual([given?.token_type, given?.expires_in, given?.record.id], ['Bearer', 86_400, id]);
  const sessions = await cluster.guest().get('/api/svc/users/sessions', as(given?.access_token ?? ''));
  assert.deepEqual(new Set(sessions.json<{ method: string }[]>().map(({ method }) => method)), new Set(['password', 'device']));
  assert.equal(await errorOf(poll(device.device_code)), 'invalid_grant');
});

test('who polls too often is told to slow down; who is denied, or too late, is told so', async () => {
  const { token } = await signedIn('slow@example.org');
  const device = await begin();
  assert.equal(await errorOf(poll(device.device_code)), 'authorization_pending');
  assert.equal(await errorOf(poll(device.device_code)), 'slow_down');
  await wait();
  assert.equal(await errorOf(poll(device.device_code)), 'authorization_pending');
  assert.equal((await decide(device.user_code, false, token)).status, 204);
  assert.equal(await errorOf(poll(device.device_code)), 'access_denied');
  assert.equal((await decide(device.user_code, true, token)).status, 404, 'what was decided stays');

  const late = await begin();
  await database.query(`update svc.device_grants set expires_at = now() - interval '1 minute'`);
  assert.equal(await errorOf(poll(late.device_code)), 'expired_token');
  assert.equal((await cluster.guest().get(`/api/oauth2/device?code=${late.user_code}`)).status, 404);
});

test('what is asked wrongly is refused in the words of OAuth, as form or JSON', async () => {
  const form = (path: string, body: Record<string, string>): Promise<Response> =>
    fetch(`${cluster.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(body) });
  const { device_code: deviceCode } = (await (await form('/api/oauth2/device/authorize', { auth_svc: 'users' })).json()) as Device;
  const token = '/api/oauth2/device/token';
  for (const [body, error] of [
    [{ grant_type: grantType, device_code: deviceCode }, 'authorization_pending'],
    [{ grant_type: 'password', device_code: deviceCode }, 'unsupported_grant_type'],
    [{ grant_type: grantType }, 'invalid_request'],
    [{ device_code: deviceCode }, 'invalid_request'],
    [{ grant_type: grantType, device_code: 'guessed' }, 'invalid_grant'],
  ] as const) {
    const answer = await form(token, body);
    assert.equal(answer.status, 400);
    assert.equal(((await answer.json()) as { error: string }).error, error);
  }
  assert.equal(await errorOf(cluster.guest().post('/api/oauth2/device/authorize', { auth_svc: 'nobody' })), 'invalid_request');
  assert.equal(await errorOf(cluster.guest().post('/api/oauth2/device/authorize', [])), 'invalid_request');
  assert.equal((await fetch(`${cluster.baseUrl}${token}`, { method: 'POST', body: 'x' })).status, 415);
});

test('an account of another collection, a guest and the admin key let nobody in', async () => {
  const device = await begin({ auth_svc: 'users' });
  const { token } = await signedIn('other@example.org', 'members');
  assert.equal((await decide(device.user_code, true, token)).status, 404);
  assert.equal((await cluster.guest().post('/api/oauth2/device/decide', { code: device.user_code, approve: true })).status, 401);
  assert.equal((await cluster.client().post('/api/oauth2/device/decide', { code: device.user_code, approve: true })).status, 403);
  assert.equal(await errorOf(poll(device.device_code)), 'authorization_pending');
});

test('an account that is gone by then is not signed in', async () => {
  const { token, id } = await signedIn('gone@example.org');
  const device = await begin();
  assert.equal((await decide(device.user_code, true, token)).status, 204);
  assert.equal((await cluster.client().delete(`/api/svc/users/records/${id}`)).status, 204);
  assert.equal(await errorOf(poll(device.device_code)), 'invalid_grant');
});

test('guesses of user codes are counted and limited', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 24; guess += 1) statuses.push((await cluster.guest().get('/api/oauth2/device?code=BBBB-BBBB')).status);
  assert.ok(statuses.includes(404) && statuses.at(-1) === 429, statuses.join());
  const refused = await cluster.guest().get('/api/oauth2/device?code=BBBB-BBBB');
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  await database.query('delete from svc.attempts');
});

test('a public client library walks the flow', async () => {
  const { token } = await signedIn('lib@example.org');
  const server: oauth.AuthorizationServer = {
    issuer: cluster.baseUrl,
    device_authorization_endpoint: `${cluster.baseUrl}/api/oauth2/device/authorize`,
    token_endpoint: `${cluster.baseUrl}/api/oauth2/device/token`,
  };
  const client: oauth.Client = { client_id: 'library' };
  // oxlint-disable-next-line typescript/no-deprecated -- its authors want it to stand out; here everything is on loopback
  const insecure = { [oauth.allowInsecureRequests]: true };
  const asked = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), { auth_svc: 'users' }, insecure);
  const device = await oauth.processDeviceAuthorizationResponse(server, client, asked);
  const ask = async () =>
    oauth.processDeviceCodeResponse(server, client, await oauth.deviceCodeGrantRequest(server, client, oauth.None(), device.device_code, insecure));

  await assert.rejects(ask(), (error) => error instanceof oauth.ResponseBodyError && error.error === 'authorization_pending');
  assert.equal((await decide(device.user_code, true, token)).status, 204);

  const result = await ask();
  assert.equal(result.token_type, 'bearer');
  assert.equal((await cluster.guest().get('/api/svc/users/sessions', as(result.access_token))).status, 200);
});
