import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationUrl } from '../../../workers/oauth/authorization-url.ts';
import { ExpiringMap } from '../../../workers/oauth/expiring-map.ts';
import type { Provider } from '../../../workers/oauth/provider.ts';
import { codeChallenge, MovedClock, nonce, oauthDeps, redirectUri, state } from './oauth-fixture.ts';

const common = {
  response_type: 'code',
  client_id: 'client',
  redirect_uri: redirectUri,
  state,
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};
const settings = { name: 'mine', title: 'Mine', clientId: 'client', clientSecret: 'the-secret' } as const;

const expected: readonly { readonly provider: Provider; readonly address: string; readonly parameters: Readonly<Record<string, string>> }[] = [
  {
    provider: { ...settings, kind: 'google' },
    address: 'https://accounts.google.com/o/oauth2/v2/auth',
    parameters: { ...common, nonce, scope: 'openid email profile' },
  },
  {
    provider: { ...settings, kind: 'github' },
    address: 'https://github.com/login/oauth/authorize',
    parameters: { ...common, scope: 'read:user user:email' },
  },
  {
    provider: { ...settings, kind: 'apple', teamId: 'T', keyId: 'K' },
    address: 'https://appleid.apple.com/auth/authorize',
    parameters: { ...common, nonce, scope: 'name email', response_mode: 'form_post' },
  },
  {
    provider: { ...settings, kind: 'microsoft' },
    address: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    parameters: { ...common, nonce, scope: 'openid email profile' },
  },
  {
    provider: { ...settings, kind: 'discord' },
    address: 'https://discord.com/oauth2/authorize',
    parameters: { ...common, scope: 'identify email' },
  },
  {
    provider: {
      ...settings,
      kind: 'gitlab',
      authUrl: 'https://git.example/oauth/authorize',
      tokenUrl: 'https://git.example/t',
      jwksUrl: 'https://git.example/k',
    },
    address: 'https://git.example/oauth/authorize',
    parameters: { ...common, nonce, scope: 'openid email profile' },
  },
  {
    provider: { ...settings, kind: 'google', scopes: ['openid'], authUrl: 'https://accounts.example/auth?hd=example.com&state=theirs' },
    address: 'https://accounts.example/auth',
    parameters: { ...common, nonce, scope: 'openid', hd: 'example.com' },
  },
];

for (const { provider, address, parameters } of expected) {
  test(`${provider.kind}: the browser is sent to ${address} without our asking anybody`, async () => {
    const deps = oauthDeps();

    const url = new URL(await authorizationUrl(deps, provider, { redirectUri, state, nonce, codeChallenge }));

    assert.equal(`${url.origin}${url.pathname}`, address);
    assert.deepEqual(Object.fromEntries(url.searchParams), parameters);
    assert.deepEqual(deps.egress.requests, []);
    assert.ok(!url.href.includes('the-secret'));
  });
}

test('what is kept for a while goes when its time is over, and the longest unused goes when there is too much', () => {
  const clock = new MovedClock();
  const map = new ExpiringMap<string>({ clock, entriesMax: 2, lifetimeMs: 1_000 });

  map.set('a', 'A');
  map.set('b', 'B');
  map.get('a');
  map.set('c', 'C');
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], ['A', undefined, 'C']);

  map.forget('a', 'another');
  assert.equal(map.get('a'), 'A');
  map.forget('a', 'A');
  clock.advance(1_001);
  assert.deepEqual([map.get('a'), map.get('c')], [undefined, undefined]);
});
