import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { exchangeCode } from '../../../workers/oauth/exchange-code.ts';
import type { Profile } from '../../../workers/oauth/profile.ts';
import type { AppleProvider, Provider, SharedSecretProvider } from '../../../workers/oauth/provider.ts';
import { OAuthReceiver, type ReceivedRequest } from '../../support/outside/oauth-receiver.ts';
import { codeVerifier, nonce, oauthDeps, oauthFailure, redirectUri, TokenSigner } from './oauth-fixture.ts';

const signer = await TokenSigner.make('key-1');
const callback = { code: 'the-code', codeVerifier, redirectUri, nonce };
let receiver: OAuthReceiver;

beforeEach(async () => {
  receiver = await OAuthReceiver.start();
  receiver.answer('/jwks', { json: { keys: [signer.jwk] } });
  receiver.answer('/token', { json: { access_token: 'the-access-token', token_type: 'bearer', scope: 'all' } });
});
afterEach(() => receiver[Symbol.asyncDispose]());

test('github: the id is the subject, and the address is the primary one of the list', async () => {
  receiver.answer('/user', {
    json: { login: 'octocat', id: 583231, avatar_url: 'https://github.com/images/octocat.gif', name: 'Mona', email: 'public@example.com' },
  });
  receiver.answer('/user/emails', {
    json: [
      { email: 'other@example.com', verified: true, primary: false, visibility: null },
      { email: 'octocat@github.com', verified: true, primary: true, visibility: 'public' },
    ],
  });

  const profile = await exchange(providerOf('github'));

  assert.deepEqual(
    { ...profile, raw: '' },
    {
      provider: 'mine',
      subject: '583231',
      email: 'octocat@github.com',
      isEmailVerified: true,
      name: 'Mona',
      username: 'octocat',
      avatarUrl: 'https://github.com/images/octocat.gif',
      raw: '',
    },
  );
  assert.deepEqual(tokenRequest().form, {
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    client_id: 'client',
    client_secret: 'the-secret',
  });
  assert.equal(tokenRequest().headers['accept'], 'application/json');
  const [asked] = receiver.at('/user/emails');
  assert.deepEqual(
    [asked?.headers['authorization'], asked?.headers['user-agent'], asked?.query],
    ['Bearer the-access-token', 'svc', { per_page: '100' }],
  );
});

test('github: an unverified primary address is told as such, and without the list there is none', async () => {
  receiver.answer('/user', { json: { login: 'octocat', id: 1, name: null, email: 'public@example.com' } });
  receiver.answer('/user/emails', {
    json: [
      { email: 'o@github.com', verified: false, primary: true },
      { email: 'x@example.com', verified: true, primary: false },
    ],
  });
  const unverified = await exchange(providerOf('github'));
  receiver.answer('/user/emails', { status: 404, json: { message: 'Not Found' } });
  const unlisted = await exchange(providerOf('github'));

  assert.deepEqual([unverified.email, unverified.isEmailVerified, unverified.name], ['o@github.com', false, 'octocat']);
  assert.deepEqual([unlisted.email, unlisted.isEmailVerified], [null, false]);
});

test('github: a refusal that comes with status 200 is one', async () => {
  receiver.answer('/token', { json: { error: 'bad_verification_code', error_description: 'The code the-code is incorrect or expired.' } });
  assert.equal((await oauthFailure(exchange(providerOf('github')), ['the-code'])).reason, 'bad_code');

  receiver.answer('/token', { json: { error: 'incorrect_client_credentials', error_description: 'wrong' } });
  assert.equal((await oauthFailure(exchange(providerOf('github')), ['the-secret'])).reason, 'misconfigured');
});

test('an id with more digits than a double holds keeps them all', async () => {
  const id = '12345678901234567890123';
  receiver.answer('/user', { headers: { 'content-type': 'application/json' }, body: `{"login":"octocat", "id": ${id}, "deep": {"id": ${id}}}` });

  const profile = await exchange(providerOf('github'));

  assert.equal(profile.subject, id);
  assert.equal(profile.raw, `{"login":"octocat","id":${id},"deep":{"id":${id}}}`);
});

test('an account without an id that is one is nobody', async () => {
  for (const id of [undefined, null, '', 1.5, -1, true, { of: 1 }, 'a'.repeat(256)]) {
    receiver.answer('/user', { json: { login: 'octocat', id } });

    assert.equal((await oauthFailure(exchange(providerOf('github')))).reason, 'bad_token', JSON.stringify(id));
  }
});

test('discord: the address counts when it is verified, and the picture is found by its hash', async () => {
  const account = {
    id: '80351110224678912',
    username: 'nelly',
    global_name: 'Nelly',
    avatar: '8342729096ea3675442027381ff50dfe',
    email: 'nelly@discord.com',
  };
  receiver.answer('/user', { json: { ...account, verified: true } });
  const verified = await exchange(providerOf('discord'));
  receiver.answer('/user', { json: { ...account, global_name: null, avatar: null, verified: false } });
  const unverified = await exchange(providerOf('discord'));

  assert.deepEqual(
    { ...verified, raw: '' },
    {
      provider: 'mine',
      subject: '80351110224678912',
      email: 'nelly@discord.com',
      isEmailVerified: true,
      name: 'Nelly',
      username: 'nelly',
      avatarUrl: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
      raw: '',
    },
  );
  assert.deepEqual([unverified.isEmailVerified, unverified.name, unverified.avatarUrl], [false, 'nelly', null]);
  assert.equal(tokenRequest().form['client_secret'], 'the-secret');
});

test('google: the token says it all, under either name of the issuer', async () => {
  const claims = {
    aud: 'client',
    azp: 'client',
    sub: '110169484474386276334',
    nonce,
    email: 'ada@gmail.com',
    email_verified: true,
    name: 'Ada',
    picture: 'https://lh3.example/a',
  };
  await issue({ ...claims, iss: 'https://accounts.google.com' });
  const profile = await exchange(providerOf('google'));
  await issue({ ...claims, iss: 'accounts.google.com', email_verified: false });
  const legacy = await exchange(providerOf('google'));

  assert.deepEqual(
    { ...profile, raw: '' },
    {
      provider: 'mine',
      subject: '110169484474386276334',
      email: 'ada@gmail.com',
      isEmailVerified: true,
      name: 'Ada',
      username: null,
      avatarUrl: 'https://lh3.example/a',
      raw: '',
    },
  );
  assert.deepEqual([legacy.subject, legacy.isEmailVerified], ['110169484474386276334', false]);
  assert.deepEqual(receiver.at('/user'), []);
  await issue({ ...claims, iss: 'https://accounts.google.com.evil.example' });
  assert.equal((await oauthFailure(exchange(providerOf('google')))).reason, 'bad_token');
});

test('apple: a secret signed for five minutes opens, and a verified address is a boolean or a text', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider: AppleProvider = {
    ...urls(),
    kind: 'apple',
    name: 'mine',
    title: 'Mine',
    clientId: 'client',
    clientSecret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    teamId: 'TEAM123456',
    keyId: 'KEY1234567',
  };
  const claims = {
    iss: 'https://appleid.apple.com',
    aud: 'client',
    sub: '001999.abc.1234',
    nonce,
    nonce_supported: true,
    email: 'x@privaterelay.appleid.com',
  };
  await issue({ ...claims, email_verified: 'true' });

  const first = await exchange(provider, { user: '{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"forged@example.com"}' });
  await issue({ ...claims, email_verified: true });
  const later = await exchange(provider);
  await issue({ ...claims, email_verified: 'false' });
  const unverified = await exchange(provider, { user: 'no json' });

  assert.deepEqual(
    [first, later, unverified].map(({ subject, email, isEmailVerified, name }) => [subject, email, isEmailVerified, name]),
    [
      ['001999.abc.1234', 'x@privaterelay.appleid.com', true, 'Ada Lovelace'],
      ['001999.abc.1234', 'x@privaterelay.appleid.com', true, null],
      ['001999.abc.1234', 'x@privaterelay.appleid.com', false, null],
    ],
  );
  const [header = '', body = '', signature = ''] = tokenRequest().form['client_secret']?.split('.') ?? [];
  assert.deepEqual(decoded(header), { alg: 'ES256', kid: 'KEY1234567' });
  const { iat, exp, ...rest } = decoded(body) as { iat: number; exp: number };
  assert.deepEqual([rest, exp - iat], [{ iss: 'TEAM123456', aud: 'https://appleid.apple.com', sub: 'client' }, 300]);
  const key = { key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', Buffer.from(`${header}.${body}`), key, Buffer.from(signature, 'base64url')));
});

test('apple: a key that is none is named as the fault, and not shown', async () => {
  const provider: Provider = { ...providerOf('google'), kind: 'apple', clientSecret: 'MIGTAgEA-no-key', teamId: 'T', keyId: 'K' };

  assert.equal((await oauthFailure(exchange(provider), ['MIGTAgEA'])).reason, 'misconfigured');
  assert.deepEqual(receiver.received, []);
});

const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';

function microsoftClaims(tid: string, claims: JWTPayload = {}): JWTPayload {
  const iss = `https://login.microsoftonline.com/${tid}/v2.0`;
  return { iss, tid, aud: 'client', sub: 'AAAA', nonce, name: 'Ada', preferred_username: 'ada@contoso.com', email: 'ada@contoso.com', ...claims };
}

test('microsoft: an address counts when its tenant owns the domain or the account is a personal one, and never else', async () => {
  const verdicts: boolean[] = [];
  for (const claims of [
    microsoftClaims(tenant),
    microsoftClaims(tenant, { email_verified: true }),
    microsoftClaims(tenant, { xms_edov: false }),
    microsoftClaims(tenant, { xms_edov: '0' }),
    microsoftClaims(tenant, { xms_edov: true }),
    microsoftClaims(tenant, { xms_edov: '1' }),
    microsoftClaims(tenant, { xms_edov: 1 }),
    microsoftClaims(personal),
  ]) {
    await issue(claims);
    verdicts.push((await exchange(providerOf('microsoft'))).isEmailVerified);
  }

  assert.deepEqual(verdicts, [false, false, false, false, true, true, true, true]);
});

test('microsoft: each token names the issuer of its own tenant, and one tenant can be asked for', async () => {
  const provider = providerOf('microsoft');
  const only = { ...provider, issuer: `https://login.microsoftonline.com/${tenant}/v2.0` };
  await issue(microsoftClaims(tenant));
  const profile = await exchange(only);
  assert.deepEqual(
    { ...profile, raw: '' },
    {
      provider: 'mine',
      subject: 'AAAA',
      email: 'ada@contoso.com',
      isEmailVerified: false,
      name: 'Ada',
      username: 'ada@contoso.com',
      avatarUrl: null,
      raw: '',
    },
  );

  await issue(microsoftClaims(personal));
  assert.equal((await oauthFailure(exchange(only))).reason, 'bad_token');
  await issue(microsoftClaims(tenant, { tid: personal }));
  assert.equal((await oauthFailure(exchange(provider))).reason, 'bad_token');
  await issue({ ...microsoftClaims(tenant), iss: 'https://login.microsoftonline.com/common/../evil/v2.0', tid: 'common/../evil' });
  assert.equal((await oauthFailure(exchange(provider))).reason, 'bad_token');
  const consumers = { ...provider, issuer: 'https://login.microsoftonline.com/consumers/v2.0' };
  await issue(microsoftClaims(tenant));
  assert.equal((await oauthFailure(exchange(consumers))).reason, 'bad_token');
  const byDomain = { ...provider, issuer: 'https://login.microsoftonline.com/contoso.com/v2.0' };
  assert.equal((await oauthFailure(exchange(byDomain))).reason, 'misconfigured');
});

test('microsoft: a key that belongs to another tenant signs nothing', async () => {
  const keys = (issuer: string): unknown => ({ keys: [{ ...signer.jwk, issuer }] });
  await issue(microsoftClaims(tenant));

  receiver.answer('/jwks', { json: keys('https://login.microsoftonline.com/{tenantid}/v2.0') });
  assert.equal((await exchange(providerOf('microsoft'))).subject, 'AAAA');
  receiver.answer('/jwks', { json: keys(`https://login.microsoftonline.com/${tenant}/v2.0`) });
  assert.equal((await exchange(providerOf('microsoft'))).subject, 'AAAA');
  receiver.answer('/jwks', { json: keys(`https://login.microsoftonline.com/${personal}/v2.0`) });
  assert.equal((await oauthFailure(exchange(providerOf('microsoft')))).reason, 'bad_token');
});

test('gitlab: one of your own is found by its address, and tells names beside the token', async () => {
  receiver.answer('/.well-known/openid-configuration', {
    json: {
      issuer: receiver.url,
      authorization_endpoint: `${receiver.url}/oauth/authorize`,
      token_endpoint: `${receiver.url}/token`,
      userinfo_endpoint: `${receiver.url}/oauth/userinfo`,
      jwks_uri: `${receiver.url}/jwks`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
  });
  receiver.answer('/oauth/userinfo', {
    json: {
      sub: '42',
      name: 'Ada',
      nickname: 'ada',
      preferred_username: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      picture: 'https://gitlab.example/a.png',
    },
  });
  await issue({ iss: receiver.url, aud: 'client', sub: '42', nonce, email: 'ada@example.com', email_verified: true });

  const profile = await exchange({
    kind: 'gitlab',
    name: 'mine',
    title: 'Mine',
    clientId: 'client',
    clientSecret: 'the-secret',
    issuer: receiver.url,
  });

  assert.deepEqual(
    { ...profile, raw: '' },
    {
      provider: 'mine',
      subject: '42',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada',
      username: 'ada',
      avatarUrl: 'https://gitlab.example/a.png',
      raw: '',
    },
  );
});

test('an address told beside the token is not verified by what the token says of another', async () => {
  await issue({ iss: 'https://gitlab.com', aud: 'client', sub: '42', nonce, email: 'ada@example.com', email_verified: true });
  receiver.answer('/user', { json: { sub: '42', email: 'eve@example.com' } });
  const other = await exchange(providerOf('gitlab'));
  receiver.answer('/user', { json: { sub: '42', email: 'ada@example.com' } });
  const same = await exchange(providerOf('gitlab'));
  receiver.answer('/user', { json: { sub: '42' } });
  const none = await exchange(providerOf('gitlab'));

  assert.deepEqual(
    [other, same, none].map(({ email, isEmailVerified }) => [email, isEmailVerified]),
    [
      ['eve@example.com', false],
      ['ada@example.com', true],
      ['ada@example.com', true],
    ],
  );
});

function exchange(provider: Provider, more: { readonly user?: string } = {}): Promise<Profile> {
  return exchangeCode(oauthDeps(), provider, { ...callback, ...more });
}

function providerOf(kind: SharedSecretProvider['kind']): SharedSecretProvider {
  return { ...urls(), kind, name: 'mine', title: 'Mine', clientId: 'client', clientSecret: 'the-secret' };
}

function urls() {
  const { url } = receiver;
  return { authUrl: `${url}/auth`, tokenUrl: `${url}/token`, userInfoUrl: `${url}/user`, jwksUrl: `${url}/jwks` };
}

/** Lets the token endpoint answer with a token of these claims. */
async function issue(claims: JWTPayload): Promise<void> {
  receiver.answer('/token', { json: { access_token: 'the-access-token', token_type: 'Bearer', id_token: await signer.sign(claims) } });
}

function tokenRequest(): ReceivedRequest {
  const [request] = receiver.at('/token');
  assert.ok(request);
  return request;
}

function decoded(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}
