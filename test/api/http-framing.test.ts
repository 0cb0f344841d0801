import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { rawAnswer, RawConnection } from './raw-connection.ts';

let cluster: Cluster;

before(async () => {
  cluster = await startCluster();
});

after(() => cluster.close());

const post = 'POST /api/svc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Heads whose body has two possible ends, or none that everyone agrees on. */
const disputed: readonly (readonly [name: string, request: string])[] = [
  ['two different lengths', `${post}Content-Length: 3\r\nContent-Length: 5\r\n\r\n{  }}`],
  ['two equal lengths', `${post}Content-Length: 3\r\nContent-Length: 3\r\n\r\n{ }`],
  ['an empty length in front of another', `${post}Content-Length: \r\nContent-Length: 3\r\n\r\n{ }`],
  ['a list of lengths', `${post}Content-Length: 3, 3\r\n\r\n{ }`],
  ['a length with a sign', `${post}Content-Length: +3\r\n\r\n{ }`],
  ['a length beyond all bounds', `${post}Content-Length: 99999999999999999999\r\n\r\n{ }`],
  ['a length and chunks', `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{ }\r\n0\r\n\r\n`],
  ['a coding before chunked', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n3\r\n{ }\r\n0\r\n\r\n`],
  ['a coding that is not chunked', `${post}Transfer-Encoding: xchunked\r\n\r\n3\r\n{ }\r\n0\r\n\r\n`],
  ['an empty coding', `${post}Transfer-Encoding: \r\n\r\n3\r\n{ }\r\n0\r\n\r\n`],
  ['chunked twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{ }\r\n0\r\n\r\n`],
  ['a chunk size that is no number', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{ }\r\n0\r\n\r\n`],
  ['two hosts', `GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`],
  ['no host', `GET /livez HTTP/1.1\r\n\r\n`],
  ['a space before the colon', `GET /livez HTTP/1.1\r\nHost : x\r\n\r\n`],
  ['a folded header', `GET /livez HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n`],
  ['NUL in a header', `GET /livez HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n`],
];

for (const [name, request] of disputed) {
  test(`a request with ${name} is refused with 400 and its connection closed`, async () => {
    using connection = await RawConnection.open(cluster.baseUrl);

    await connection.send(`${request}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await connection.answer();
    const rest = await connection.closed();

    assert.equal(answer?.status, 400);
    assert.equal(rest, '', 'nothing behind the refused request is answered');
  });
}

test('what the parser lets pass and we refuse is told as every error is', async () => {
  const answer = await rawAnswer(cluster.baseUrl, `${post}Content-Length: 3\r\nContent-Length: 5\r\nX-Request-Id: abc\r\n\r\n{  }}`);

  assert.deepEqual(JSON.parse(answer?.body ?? ''), { code: 400, message: 'Content-Length must stand once.', data: {} });
  assert.equal(answer?.headers.get('content-type'), 'application/json');
  assert.equal(answer?.headers.get('x-request-id'), 'abc');
  assert.equal(answer?.headers.get('connection'), 'close');
});

test('a disputed length is refused also where no body is read and where nothing is', async () => {
  const twice = 'Host: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n';

  const answers = await Promise.all(
    ['GET /livez', 'GET /nowhere', 'PUT /api/svc', 'OPTIONS /api/svc'].map((line) => rawAnswer(cluster.baseUrl, `${line} HTTP/1.1\r\n${twice}`)),
  );

  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [400, 400, 400, 400],
  );
});

test('a request line that is split anywhere is one request line', async () => {
  const request = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

  for (let cut = 1; cut < request.length; cut += 1) {
    const answer = await rawAnswer(cluster.baseUrl, request.slice(0, cut), request.slice(cut));
    assert.equal(answer?.status, 200, `cut at ${cut}`);
  }
});

test('a request with a head of 16 KiB is served', async () => {
  const answer = await rawAnswer(cluster.baseUrl, `GET /livez?filter=${'a'.repeat(8_000)} HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(8_000)}\r\n\r\n`);

  assert.equal(answer?.status, 200);
});

test('a chunked body is read as one, and the connection ends with its answer', async () => {
  using connection = await RawConnection.open(cluster.baseUrl);
  const head = `POST /api/svc HTTP/1.1\r\nHost: x\r\nX-Admin-Key: ${cluster.adminKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

  await connection.send(`${head}8\r\n{"name":\r\n`);
  await connection.send('a\r\n"chunked"}\r\n0\r\n\r\n');
  const answer = await connection.answer();

  assert.equal(answer?.status, 201);
  assert.equal(answer?.headers.get('connection'), 'close');
  assert.equal(await connection.closed(), '');
});

test('trailers of a chunked body are never read as the next request', async () => {
  using connection = await RawConnection.open(cluster.baseUrl);

  await connection.send(`${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nXXGET /livez HTTP/1.1\r\nHost: x\r\n\r\n`);
  const first = await connection.answer();
  const rest = await connection.closed();

  assert.notEqual(first?.status, 200);
  assert.doesNotMatch(rest, /"live"/);
});

const nonsense: readonly (readonly [name: string, request: string | Buffer, status: number])[] = [
  ['a TLS greeting', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 505],
  ['HTTP/1.0', 'GET /livez HTTP/1.0\r\n\r\n', 505],
  ['lines that end in LF alone', 'GET /livez HTTP/1.1\nHost: x\n\n', 505],
  ['a header of 70,000 bytes', `GET /livez HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ['120 headers', `GET /livez HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(120)}\r\n`, 431],
];

for (const [name, request, status] of nonsense) {
  test(`${name} gets ${status} and the connection closed`, async () => {
    using connection = await RawConnection.open(cluster.baseUrl);

    await connection.send(request);
    const answer = await connection.answer();
    await connection.closed();

    assert.equal(answer?.status, status);
  });
}

test('a body behind a request that takes none does not become a request', async () => {
  using connection = await RawConnection.open(cluster.baseUrl);
  const smuggled = 'DELETE /api/svc/nothing HTTP/1.1\r\nHost: x\r\n\r\n';

  await connection.send(
    `GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  const answers = [await connection.answer(), await connection.answer()];

  assert.deepEqual(
    answers.map((answer) => answer?.body),
    ['{"live":true}', '{"ready":true}'],
  );
});

test('after all of this the node works as before', async () => {
  const answer = await cluster.client().get('/api/svc');

  assert.equal(answer.status, 200);
});
