import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, pageWithAuthenticator } from '../support/browser.ts';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { Mailbox } from '../support/outside/mailbox.ts';

let cluster: Cluster;
let mailbox: Mailbox;
let browser: Browser;
/** By this name browsers let passkeys be used without TLS. */
let base: string;

const password = 'a long enough one';

before(async () => {
  [mailbox, browser] = await Promise.all([Mailbox.open(), openBrowser()]);
  cluster = await startCluster({ environment: mailbox.environment });
  base = cluster.baseUrl.replace('127.0.0.1', 'localhost');
  await cluster.client().patch('/api/settings', { app: { publicUrl: base } });
  const made = await cluster.client().post('/api/svc', { name: 'users', type: 'auth' });
  assert.equal(made.status, 201, made.text);
});

after(async () => {
  await browser.close();
  await cluster.close();
  await mailbox.close();
});

async function signUp(email: string): Promise<string> {
  const made = await cluster.guest().post('/api/svc/users/records', { email, password, passwordConfirm: password });
  assert.equal(made.status, 201, made.text);
  return String(made.json()['id']);
}

const signIn = async (identity: string, secret = password): Promise<number> =>
  (await cluster.guest().post('/api/svc/users/auth-with-password', { identity, password: secret })).status;

/** A page whose complaints fail the test. */
async function open(url: string): Promise<Page> {
  const { page } = await pageWithAuthenticator(browser);
  page.on('pageerror', (error) => assert.fail(error));
  await page.goto(url);
  return page;
}

test('the link of a reset mail opens a page that sets the password, and keeps the token out of the address', async () => {
  await signUp('reset@example.org');
  await cluster.guest().post('/api/svc/users/request-password-reset', { email: 'reset@example.org' });
  const page = await open((await mailbox.next('reset@example.org')).link);
  assert.ok(!page.url().includes('token'));

  await page.getByLabel('New password').fill('long enough now');
  await page.getByLabel('The same again').fill('but not the same');
  await page.getByRole('button').click();
  await page.getByText('The two passwords differ.').waitFor();
  await page.getByLabel('The same again').fill('long enough now');
  await page.getByRole('button').click();
  await page.getByText('The password is changed').waitFor();

  assert.equal(await signIn('reset', 'long enough now'), 200);
  await page.context().close();
});

test('the link of a verification mail confirms by a click, not by being opened', async () => {
  const id = await signUp('verify@example.org');
  const isVerified = async (): Promise<unknown> => (await cluster.client().get(`/api/svc/users/records/${id}`)).json()['verified'];
  await cluster.guest().post('/api/svc/users/request-verification', { email: 'verify@example.org' });
  const page = await open((await mailbox.next('verify@example.org')).link);
  assert.equal(await isVerified(), false);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The address is confirmed').waitFor();
  assert.equal(await isVerified(), true);
  await page.context().close();
});

test('the link to a new address changes it by a click', async () => {
  const id = await signUp('old@example.org');
  const signedIn = await cluster.guest().post('/api/svc/users/auth-with-password', { identity: 'old@example.org', password });
  const headers = { Authorization: `Bearer ${String(signedIn.json()['token'])}` };
  await cluster.guest().post('/api/svc/users/request-email-change', { newEmail: 'new@example.org' }, { headers });
  const page = await open((await mailbox.next('new@example.org')).link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The address is changed').waitFor();
  assert.equal((await cluster.client().get(`/api/svc/users/records/${id}`)).json()['email'], 'new@example.org');
  await page.context().close();
});

test('the set-up link opens a page that makes the first root user', async () => {
  const link = await cluster.client().post('/api/setup/link');
  const page = await open(String(link.json()['url']));
  await page.getByLabel('E-mail address').fill('root@example.org');
  await page.getByLabel('New password').fill('only root knows this');
  await page.getByLabel('The same again').fill('only root knows this');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('It is done').waitFor();
  const answer = await cluster
    .guest()
    .post('/api/svc/_rootUsers/auth-with-password', { identity: 'root@example.org', password: 'only root knows this' });
  assert.equal(answer.status, 200);
  await page.context().close();
});

async function device(): Promise<{ readonly url: string; readonly poll: () => Promise<unknown> }> {
  const asked = await cluster.guest().post('/api/oauth2/device/authorize', { auth_svc: 'users', client_id: 'A <b>television</b>' });
  const { device_code: code, verification_uri_complete: url } = asked.json<{ device_code: string; verification_uri_complete: string }>();
  const body = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code };
  const poll = async (): Promise<unknown> => {
    const answer = (await cluster.guest().post('/api/oauth2/device/token', body)).json();
    return answer['error'] ?? answer['token_type'];
  };
  return { url, poll };
}

test('the device page shows who asks, signs in by password, and approves', async () => {
  await signUp('tv@example.org');
  const { url, poll } = await device();
  const page = await open(url);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Username or e-mail address').fill('tv@example.org');
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The identity or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('A <b>television</b>').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The device is let in').waitFor();
  assert.equal(await poll(), 'Bearer');
  await page.context().close();
});

test('the device page signs in by a code from the mail, and denies', async () => {
  await signUp('deny@example.org');
  const { url, poll } = await device();
  const page = await open(url);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('E-mail address', { exact: true }).fill('deny@example.org');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code from the mail').fill((await mailbox.next('deny@example.org')).code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('The device was turned away').waitFor();
  assert.equal(await poll(), 'access_denied');
  await page.context().close();
});

test('pages may load and frame nothing else, and there are no others', async () => {
  const page = await fetch(`${cluster.baseUrl}/_svc_/reset-password`);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  for (const path of ['/_svc_/nothing', '/_svc_/pages/../pages.js', '/_svc_/pages/tsconfig.json', '/_svc_/pages/%2e%2e%2fpages.js'])
    assert.equal((await fetch(`${cluster.baseUrl}${path}`)).status, 404, path);
});
