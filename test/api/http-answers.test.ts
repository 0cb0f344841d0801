import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';
import { rawAnswer, RawConnection } from './raw-connection.ts';

let cluster: Cluster;
let record: string;

before(async () => {
  cluster = await startCluster();
  const rules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
  await cluster.client().post('/api/svc', { name: 'notes', fields: [{ name: 'text', type: 'text' }], rules });
  const created = await cluster.guest().post('/api/svc/notes/records', { text: 'one' });
  record = `/api/svc/notes/records/${created.json<{ id: string }>().id}`;
});

after(() => cluster.close());

test('an unknown address is a 404 in the error form', async () => {
  const answers = await Promise.all(
    ['/nowhere', '/api', '/api/svc/', '/api/svc/notes/records/', `${record}/more`, '/API/SVC', '/docs/assets/../../package.json', '//'].map((path) =>
      cluster.guest().get(path),
    ),
  );

  for (const answer of answers)
    assert.deepEqual(answer.json(), { code: 404, message: 'There is nothing at this address; /openapi.json lists what there is.', data: {} });
});

test('a known address with another method is a 405 that names the ones there are', async () => {
  const answers = await Promise.all([
    cluster.guest().send('PUT', '/api/svc'),
    cluster.guest().delete('/api/svc'),
    cluster.guest().send('PUT', '/api/svc/notes'),
    cluster.guest().get('/api/svc/notes/truncate'),
    cluster.guest().post(record, {}),
    cluster.guest().post('/livez'),
    cluster.guest().send('PROPFIND', '/api/svc/notes/records'),
  ]);

  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.headers.get('allow')]),
    [
      [405, 'GET, HEAD, POST, OPTIONS'],
      [405, 'GET, HEAD, POST, OPTIONS'],
      [405, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      [405, 'POST, OPTIONS'],
      [405, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      [405, 'GET, HEAD, OPTIONS'],
      [405, 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'],
    ],
  );
});

test('HEAD answers as GET does, without the body', async () => {
  for (const path of [record, '/api/svc/notes/records', '/livez', '/docs', '/openapi.json', '/nowhere', '/api/svc']) {
    const [got, head] = await Promise.all([cluster.guest().get(path), cluster.guest().head(path)]);

    assert.equal(head.status, got.status, path);
    assert.equal(head.text, '');
    assert.equal(head.headers.get('content-length'), got.headers.get('content-length'), path);
    assert.equal(head.headers.get('etag'), got.headers.get('etag'), path);
  }
});

test('HEAD leaves the connection sound for the next request', async () => {
  using connection = await RawConnection.open(cluster.baseUrl);
  const request = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`;

  await connection.send(
    request('HEAD /livez') +
      request('HEAD /nowhere') +
      request('GET /readyz') +
      request('GET /livez').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  );
  const received = await connection.closed();

  assert.equal(received.match(/HTTP\/1\.1 \d/g)?.length, 4);
  assert.match(received, /\{"ready":true\}HTTP\/1\.1 200 OK[^{]*\{"live":true\}$/);
});

test('every answer names its request, and takes the name that the client gave', async () => {
  const named = { headers: { 'X-Request-Id': 'Order-66.b_1' } };
  const answers = await Promise.all([
    cluster.guest().get(record, named),
    cluster.guest().get('/nowhere', named),
    cluster.guest().send('PUT', '/api/svc', named),
    cluster.guest().get('/api/svc', named),
    cluster.guest().send('OPTIONS', '/api/svc', named),
    cluster.guest().post('/api/svc/notes/records', '{', named),
  ]);

  assert.deepEqual(
    answers.map((answer) => answer.headers.get('x-request-id')),
    answers.map(() => 'Order-66.b_1'),
  );
});

test('a request id that could do harm is replaced', async () => {
  const given = ['a b', 'x'.repeat(129), '"', 'ä', '<script>'];

  const answers = await Promise.all(given.map((id) => rawAnswer(cluster.baseUrl, `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`)));
  const ids = answers.map((answer) => answer?.headers.get('x-request-id') ?? '');

  for (const id of ids) assert.match(id, /^[a-z0-9]{24}-[a-z0-9]+$/);
  assert.equal(new Set(ids).size, ids.length);
});

test('every answer forbids guessing its type and may be read by any page', async () => {
  const answers = await Promise.all([
    cluster.guest().get(record),
    cluster.guest().get('/nowhere'),
    cluster.guest().send('PUT', '/api/svc'),
    cluster.guest().get('/docs'),
  ]);

  for (const { headers } of answers) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('access-control-expose-headers') ?? '', /ETag.*Retry-After.*X-Request-Id/);
  }
});

test('a preflight is granted for every route and method', async () => {
  const headers = {
    Origin: 'https://app.example',
    'Access-Control-Request-Method': 'PATCH',
    'Access-Control-Request-Headers': 'content-type,x-admin-key',
  };

  const answers = await Promise.all(
    [record, '/api/svc', '/openapi.json', '/livez', '/nowhere'].map((path) => cluster.guest().send('OPTIONS', path, { headers })),
  );

  for (const answer of answers) {
    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('access-control-allow-headers'), 'content-type,x-admin-key');
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /GET, HEAD/);
  }
});

test('a 304 and a 204 carry no body and no length', async () => {
  const etag = (await cluster.guest().get(record)).headers.get('etag') ?? '';
  const doomed = (await cluster.guest().post('/api/svc/notes/records', {})).json<{ id: string }>().id;

  const unchanged = await rawAnswer(cluster.baseUrl, `GET ${record} HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`);
  const deleted = await rawAnswer(cluster.baseUrl, `DELETE /api/svc/notes/records/${doomed} HTTP/1.1\r\nHost: x\r\n\r\n`);

  assert.deepEqual([unchanged?.status, unchanged?.headers.get('etag'), unchanged?.headers.has('content-length')], [304, etag, false]);
  assert.deepEqual([deleted?.status, deleted?.headers.has('content-length')], [204, false]);
});

test('an address that is no text is refused', async () => {
  const answers = await Promise.all(
    ['/api/svc/%', '/api/svc/%zz', '/api/svc/%ff', '/api/svc/a%00b', '/api/svc/%ed%a0%80'].map((path) => rawGet(path)),
  );

  assert.deepEqual(
    answers.map((answer) => answer?.status),
    answers.map(() => 400),
  );
});

test('an address that names nothing there could be is a 404', async () => {
  const names = ['..%2f..%2fetc', 'a%2Fb', "'; drop table x --", '%C3%A4', 'x'.repeat(64), '__proto__', 'constructor', 'ｎotes', '%20notes'];

  const answers = await Promise.all(names.map((name) => cluster.client().get(`/api/svc/${name}`)));

  assert.deepEqual(
    answers.map((answer: HttpAnswer) => answer.status),
    answers.map(() => 404),
  );
});

test('bytes in a query that are no UTF-8 are refused', async () => {
  const answer = await rawAnswer(cluster.baseUrl, Buffer.from('GET /api/svc/notes/records?sort=\xff HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'));

  assert.equal(answer?.status, 400);
});

test('an Idempotency-Key is 1 to 255 printable characters', async () => {
  const keys = ['', 'x'.repeat(256), 'ä', 'a\tb'];

  const answers = await Promise.all(
    keys.map((key) =>
      rawAnswer(
        cluster.baseUrl,
        `POST /api/svc/notes/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: ${key}\r\nContent-Length: 2\r\n\r\n{}`,
      ),
    ),
  );
  const longest = await cluster.guest().post('/api/svc/notes/records', {}, { headers: { 'Idempotency-Key': 'x'.repeat(255) } });

  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [400, 400, 400, 400],
  );
  assert.equal(longest.status, 201);
});

test('the front door leads to the documentation', async () => {
  const answer = await cluster.guest().get('/');

  assert.deepEqual([answer.status, answer.headers.get('location'), answer.text], [302, '/docs', '']);
});

test('the node says that it lives and that it is ready', async () => {
  const [live, ready] = await Promise.all([cluster.guest().get('/livez'), cluster.guest().get('/readyz')]);

  assert.deepEqual([live.status, live.json(), ready.status, ready.json()], [200, { live: true }, 200, { ready: true }]);
});

test('many requests on one connection are answered in turn', async () => {
  using connection = await RawConnection.open(cluster.baseUrl);

  for (let count = 0; count < 20; count += 1) {
    await connection.send(`GET ${record} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal((await connection.answer())?.status, 200);
  }
});

test('the admin key opens the schema, whichever way it is sent', async () => {
  const key = cluster.adminKey;
  const ways: Record<string, string>[] = [
    { 'X-Admin-Key': key },
    { Authorization: `Bearer ${key}` },
    { Authorization: `bearer ${key}` },
    { Authorization: `BEARER   ${key}` },
    { Authorization: `Bearer ${key}`, 'X-Admin-Key': key },
  ];

  const answers = await Promise.all(ways.map((headers) => cluster.guest().get('/api/svc', { headers })));

  assert.deepEqual(
    answers.map((answer) => answer.status),
    answers.map(() => 200),
  );
});

test('two different credentials are refused, even if one is right', async () => {
  const headers = { Authorization: 'Bearer other', 'X-Admin-Key': cluster.adminKey };

  const answer = await cluster.guest().get('/api/svc', { headers });

  assert.deepEqual(answer.json(), { code: 400, message: 'The request carries more than one credential; send one.', data: {} });
});

test('a credential that is none is a 401, never taken for a guest', async () => {
  const ways: Record<string, string>[] = [
    { Authorization: 'Basic eDp5' },
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer ' },
    { Authorization: cluster.adminKey },
    { Authorization: '' },
    { 'X-Admin-Key': '' },
    { 'X-Admin-Key': 'wrong' },
    { 'X-Admin-Key': `${cluster.adminKey} ${cluster.adminKey}` },
    { Authorization: `Bearer ${cluster.adminKey}x` },
  ];

  const answers = await Promise.all(ways.map((headers) => cluster.guest().get('/api/svc/none/records', { headers })));

  for (const [index, answer] of answers.entries()) assert.equal(answer.status, 401, JSON.stringify(ways[index]));
  for (const answer of answers) assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
});

test('public routes do not look at credentials, so that a stale one locks nobody out', async () => {
  const headers = { Authorization: 'nonsense', 'X-Admin-Key': 'wrong' };

  const answers = await Promise.all(['/openapi.json', '/openapi.yml', '/docs', '/livez'].map((path) => cluster.guest().get(path, { headers })));

  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200, 200],
  );
});

test('no credential reaches a log line', async () => {
  await cluster.guest().get('/api/svc', { headers: { 'X-Admin-Key': 'secret-of-a-stranger' } });

  const told = cluster.allLogs.filter((line) => line.includes(cluster.adminKey) || line.includes('secret-of-a-stranger'));

  assert.deepEqual(told, []);
});

function rawGet(path: string) {
  return rawAnswer(cluster.baseUrl, `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Admin-Key: ${cluster.adminKey}\r\n\r\n`);
}
