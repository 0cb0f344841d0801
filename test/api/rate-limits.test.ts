import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { until } from '../support/until.ts';

let cluster: Cluster;

before(async () => {
  cluster = await startCluster({ gateways: 2, stores: 2, isRateLimited: true, environment: { SVC_TRUSTED_PROXIES: '127.0.0.0/8' } });
  for (const collection of [
    { name: 'users', type: 'auth' },
    { name: 'posts', rules: { listRule: '', viewRule: '' } },
  ])
    assert.equal((await cluster.client().post('/api/svc', collection)).status, 201);
  // A node that has just started learns the rules within a moment.
  let probe = 0;
  await until('the default rule holds on both nodes', async () => {
    const client = new Client(`192.0.2.${(probe += 1)}`);
    return (await statuses(24, () => client.signIn())).get(429) === 14;
  });
});

after(() => cluster.close());

let identities = 0;

/** A client of this address, whose every request goes to the next node. */
class Client {
  readonly #headers: Record<string, string>;
  #turn = 0;

  constructor(address: string, headers: Record<string, string> = {}) {
    this.#headers = { 'X-Forwarded-For': address, 'Content-Type': 'application/json', ...headers };
  }

  /** Somebody else each time, because guesses at one account have limits of their own. */
  signIn(): Promise<Response> {
    const body = JSON.stringify({ identity: `nobody${(identities += 1)}`, password: 'nothing' });
    return this.#send('/api/svc/users/auth-with-password', { method: 'POST', body });
  }

  get(path: string): Promise<Response> {
    return this.#send(path, {});
  }

  #send(path: string, request: RequestInit): Promise<Response> {
    this.#turn += 1;
    return fetch(`${cluster.baseUrls[this.#turn % 2] ?? ''}${path}`, { ...request, headers: this.#headers });
  }
}

async function statuses(count: number, send: () => Promise<Response>): Promise<Map<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, send));
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** Rules hold on both nodes within a second. */
async function setRules(rules: readonly object[], isThere: () => Promise<boolean>): Promise<void> {
  const changed = await cluster.client().patch('/api/settings', { rateLimits: { rules } });
  assert.equal(changed.status, 200, changed.text);
  await until('the rules hold', isThere, 1_000);
}

test('of many sign-ins at once by one client ten are taken in three seconds, whichever nodes they come to', async () => {
  const client = new Client('203.0.113.1');
  const counts = await statuses(40, () => client.signIn());
  assert.deepEqual([counts.get(400), counts.get(429)], [10, 30]);
  const refused = await client.signIn();
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('retry-after') ?? '', /^[123]$/);
  assert.deepEqual([refused.headers.get('ratelimit-limit'), refused.headers.get('ratelimit-remaining')], ['10', '0']);
  assert.match(((await refused.json()) as { message: string }).message, /At most 10 such requests/);

  assert.deepEqual((await statuses(5, () => new Client('203.0.113.2').signIn())).get(400), 5, 'others are not concerned');
  assert.deepEqual((await statuses(30, () => client.get('/api/svc/posts/records'))).get(200), 30, 'nothing else is limited');
  await until('the window is over', async () => (await client.signIn()).status === 400, 10_000);
});

test('a correct admin key is never limited, a wrong one is', async () => {
  const admin = new Client('203.0.113.3', { 'X-Admin-Key': cluster.adminKey });
  assert.equal((await statuses(25, () => admin.signIn())).get(429), undefined);
  const wrong = new Client('203.0.113.4', { 'X-Admin-Key': 'not the admin key' });
  assert.equal((await statuses(25, () => wrong.signIn())).get(429), 15);
});

test('root sets the rules: by collection and action, by path, by audience; the first that fits counts', async () => {
  const rules = [
    { label: 'posts:list', maxRequests: 40, intervalSeconds: 600, audience: 'guest' },
    { label: '/api/svc/posts', maxRequests: 3, intervalSeconds: 600 },
  ];
  const path = '/api/svc/posts/records/none';
  let probe = 0;
  await setRules(rules, async () => {
    const client = new Client(`198.51.100.${(probe += 1)}`);
    return (await statuses(8, () => client.get(path))).get(429) === 5;
  });

  const guest = new Client('203.0.113.5');
  const taken = (await statuses(60, () => guest.get('/api/svc/posts/records'))).get(200) ?? 0;
  // A node may keep the last of a slice that it has taken for the client.
  assert.ok(taken <= 40 && taken >= 38, String(taken));
  assert.equal((await statuses(20, () => new Client('203.0.113.6').signIn())).get(429), undefined);
  const settings = await cluster.client().patch('/api/settings', { rateLimits: { enabled: false } });
  assert.equal(settings.status, 200);
  await until('no limits hold', async () => (await guest.get('/api/svc/posts/records')).status === 200, 1_000);
});
