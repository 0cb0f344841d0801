import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { until } from '../support/until.ts';
import { rawAnswer, RawConnection } from './raw-connection.ts';

const limit = 64 * 1024;
let cluster: Cluster;

before(async () => {
  cluster = await startCluster({ environment: { SVC_MAX_BODY_BYTES: String(limit) } });
  const rules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
  await cluster.client().post('/api/svc', { name: 'notes', fields: [{ name: 'text', type: 'text', max: 1_000_000 }], rules });
});

after(() => cluster.close());

const records = '/api/svc/notes/records';
const tooLarge = { code: 413, message: `The body is larger than ${limit} bytes.`, data: {} };
const head = `POST ${records} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

test('a body of exactly the limit is taken', async () => {
  const frame = JSON.stringify({ text: '' });

  const answer = await cluster.guest().post(records, { text: 'x'.repeat(limit - frame.length) });

  assert.equal(answer.status, 201);
});

test('a body that says it is larger is refused before it is sent', async () => {
  const answer = await rawAnswer(cluster.baseUrl, `${head}Content-Length: ${limit + 1}\r\n\r\n`);

  assert.equal(answer?.status, 413);
  assert.deepEqual(JSON.parse(answer.body), tooLarge);
  assert.equal(answer.headers.get('connection'), 'close');
});

test('a body that turns out larger while it comes is refused', async () => {
  using connection = await RawConnection.open(cluster.baseUrl);

  await connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  for (let sent = 0; sent <= limit; sent += 0x4000) await connection.send(`4000\r\n${'a'.repeat(0x4000)}\r\n`);
  const answer = await connection.answer();

  assert.deepEqual(JSON.parse(answer?.body ?? ''), tooLarge);
  assert.equal(await connection.closed(), '');
});

test('a client in the middle of sending far too much gets to read the answer', async () => {
  const statuses = await Promise.all([sendMuch({ 'Content-Length': 20_000_000 }), sendMuch({ 'Transfer-Encoding': 'chunked' })]);

  assert.deepEqual(statuses, [413, 413]);
});

test('a refused body of half-sent megabytes does not break the answer', async () => {
  const answer = await cluster.guest().post('/api/svc', 'x'.repeat(limit - 1));

  assert.equal(answer.status, 401);
});

const types: readonly (readonly [type: string | undefined, status: number])[] = [
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['Application/JSON;charset="UTF-8"', 201],
  ['application/json; charset=latin1', 415],
  ['text/plain', 415],
  ['application/jsonp', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/x-www-form-urlencoded', 415],
  [undefined, 415],
];

for (const [type, status] of types) {
  test(`a body that calls itself ${type ?? 'nothing'} gets ${status}`, async () => {
    const line = type === undefined ? '' : `Content-Type: ${type}\r\n`;

    const answer = await rawAnswer(cluster.baseUrl, `POST ${records} HTTP/1.1\r\nHost: x\r\n${line}Content-Length: 2\r\n\r\n{}`);

    assert.equal(answer?.status, status);
  });
}

test('a compressed body is refused, not misread', async () => {
  const answer = await cluster.guest().post(records, '{}', { headers: { 'Content-Encoding': 'gzip' } });

  assert.equal(answer.status, 415);
});

test('a missing body is a body that is no JSON, whatever its type', async () => {
  const answer = await rawAnswer(cluster.baseUrl, `POST ${records} HTTP/1.1\r\nHost: x\r\n\r\n`);

  assert.equal(answer?.status, 400);
  assert.match(answer.body, /not valid JSON/);
});

test('a large answer reaches a slow reader whole', async () => {
  const text = 'x'.repeat(50_000);
  await Promise.all(Array.from({ length: 100 }, () => cluster.guest().post(records, { text })));

  const body = await readSlowly(`${cluster.baseUrl}${records}?perPage=500`);

  const { items } = JSON.parse(body) as { items: readonly { text: string }[] };
  assert.equal(items.filter((item) => item.text === text).length, 100);
});

test('a client that drips its head, its body or nothing is cut off, and one that went away leaves nothing behind', async () => {
  const drips = ['', 'GET /livez HT', `${head}Content-Length: 50\r\n\r\n{`, `${head}Content-Length: 50\r\n\r\n`];
  const connections = await Promise.all(drips.map((part) => openWith(part)));
  const dripping = setInterval(() => connections.forEach((connection) => void connection.send(' ')), 400);

  const left = await RawConnection.open(cluster.baseUrl);
  await left.send(`${head}Content-Length: 50\r\n\r\n{`);
  left.reset();
  await Promise.all(connections.map((connection) => connection.closed()));
  clearInterval(dripping);

  await until('nothing is in flight', async () => (await gauge('svc_http_requests_in_flight')) === 0 && (await gauge('svc_http_body_bytes')) === 0);
});

async function openWith(part: string): Promise<RawConnection> {
  const connection = await RawConnection.open(cluster.baseUrl);
  await connection.send(part);
  return connection;
}

async function gauge(name: string): Promise<number | undefined> {
  const metrics = await cluster.metrics('gateway');
  return metrics?.find((metric) => metric.name === name)?.values[0]?.value;
}

/** Sends 20 MB with Node's own client, which reports an error when it cannot send them all. */
function sendMuch(headers: Readonly<Record<string, string | number>>): Promise<number | string> {
  return new Promise((resolve) => {
    const request = httpRequest(`${cluster.baseUrl}${records}`, {
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    request.on('response', (response) => resolve(response.statusCode ?? 0));
    request.on('error', (error) => resolve(error.message));
    for (let sent = 0; sent < 20; sent += 1) request.write(Buffer.alloc(1_000_000, 'a'));
    request.end();
  });
}

/** Takes a pause after each piece, so that the answer has to wait for its reader. */
function readSlowly(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        response.pause();
        setTimeout(() => response.resume(), 5);
      });
      response.on('end', () => resolve(Buffer.concat(pieces).toString()));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}
