import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { EgressClient } from '../../../workers/egress/egress-client.ts';
import { EgressError } from '../../../workers/egress/egress-error.ts';
import type { Resolve } from '../../../workers/egress/guarded-connect.ts';
import { HttpReceiver, never } from '../../support/outside/http-receiver.ts';
import { until } from '../../support/until.ts';

const get = { method: 'GET', headers: {}, timeoutMs: 10_000, bytesMax: 1_000_000 } as const;

test('a request arrives as it was given, and its answer comes back whole', async () => {
  await using receiver = await HttpReceiver.start({ status: 201, headers: { 'X-Made': 'yes', 'set-cookie': 'a=1' }, body: 'grüße' });
  await using client = new EgressClient({ allowPrivate: true });

  const answer = await client.request({ ...get, url: `${receiver.url}/a/b?c=d#e`, method: 'POST', headers: { 'X-Ours': '1' }, body: '{"ä":1}' });

  const { method, path, headers, body } = receiver.onlyRequest;
  assert.deepEqual({ method, path, ours: headers['x-ours'], body }, { method: 'POST', path: '/a/b?c=d', ours: '1', body: '{"ä":1}' });
  assert.deepEqual([answer.status, answer.body.toString(), answer.isCut], [201, 'grüße', false]);
  assert.deepEqual([answer.headers['x-made'], answer.headers['set-cookie']], ['yes', 'a=1']);
  assert.ok(answer.durationMs >= 0 && Number.isInteger(answer.durationMs));
});

for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0', '169.254.169.254', '[fe80::1]']) {
  test(`${host} is refused, and nothing is connected to`, async () => {
    await using receiver = await HttpReceiver.start();
    await using client = new EgressClient({ allowPrivate: false });

    const failure = await failureOf(client.request({ ...get, url: `http://${host}:${receiver.port}/secret?key=k` }));

    assert.equal(failure.reason, 'refused_address');
    assert.doesNotMatch(failure.message, /secret|key=/);
    assert.equal(receiver.connections, 0);
  });
}

test('metadata addresses are refused although private ones are allowed, by name and by number', async () => {
  const resolve: Resolve = (_name, _options, done) => done(null, [{ address: '169.254.169.254', family: 4 }]);
  await using client = new EgressClient({ allowPrivate: true, resolve });

  const failures = await Promise.all([
    failureOf(client.request({ ...get, url: 'http://metadata.example/' })),
    failureOf(client.request({ ...get, url: 'https://metadata.example/' })),
    failureOf(client.request({ ...get, url: 'http://169.254.169.254/' })),
    failureOf(client.connect({ host: 'metadata.example', port: 25, timeoutMs: 1_000 })),
    failureOf(client.connect({ host: '169.254.169.254', port: 25, timeoutMs: 1_000 })),
  ]);

  assert.deepEqual(
    failures.map(({ reason }) => reason),
    Array.from({ length: 5 }, () => 'refused_address'),
  );
});

test('of the addresses of a name only allowed ones are called', async () => {
  await using receiver = await HttpReceiver.start({ body: 'here' });
  const resolve: Resolve = (_name, _options, done) =>
    done(null, [
      { address: '169.254.169.254', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  await using client = new EgressClient({ allowPrivate: true, resolve });

  const answer = await client.request({ ...get, url: `http://mixed.example:${receiver.port}/` });

  assert.equal(answer.body.toString(), 'here');
});

test('a name that was harmless when it was looked at first is judged again for each connection', async () => {
  await using receiver = await HttpReceiver.start({ headers: { connection: 'close' } });
  const addresses = ['127.0.0.1', '169.254.169.254'];
  const resolve: Resolve = (_name, _options, done) => done(null, [{ address: addresses.shift() ?? '', family: 4 }]);
  await using client = new EgressClient({ allowPrivate: true, resolve });
  const url = `http://rebound.example:${receiver.port}/`;

  const { status } = await client.request({ ...get, url });
  const failure = await failureOf(client.request({ ...get, url }));

  assert.equal(status, 200);
  assert.equal(failure.reason, 'refused_address');
});

test('a redirect is an answer like any other and is not followed', async () => {
  await using target = await HttpReceiver.start();
  await using receiver = await HttpReceiver.start({ status: 307, headers: { location: `${target.url}/elsewhere` } });
  await using client = new EgressClient({ allowPrivate: true });

  const answer = await client.request({ ...get, url: receiver.url });

  assert.deepEqual([answer.status, answer.headers['location'], target.connections], [307, `${target.url}/elsewhere`, 0]);
});

test('a peer that never answers is given up at the deadline, and so is its connection', async () => {
  await using receiver = await HttpReceiver.start({ after: never });
  await using client = new EgressClient({ allowPrivate: true });

  const failure = await failureOf(client.request({ ...get, url: `${receiver.url}/?key=k`, timeoutMs: 50 }));

  assert.deepEqual([failure.reason, failure.message], ['timeout', '127.0.0.1 did not answer within 50 ms.']);
  await until('the connection is closed', async () => (await receiver.openConnections()) === 0);
});

test('a body that stops in the middle is given up at the same deadline', async () => {
  await using receiver = await HttpReceiver.start({ body: 'begun', ending: 'silence' });
  await using client = new EgressClient({ allowPrivate: true });

  const failure = await failureOf(client.request({ ...get, url: receiver.url, timeoutMs: 300 }));

  assert.equal(failure.reason, 'timeout');
});

test('of an endless body as much is kept as was asked for, and the connection is given up', async () => {
  await using receiver = await HttpReceiver.start({ ending: 'endless' });
  await using client = new EgressClient({ allowPrivate: true });

  const answer = await client.request({ ...get, url: receiver.url, bytesMax: 100_000 });

  assert.deepEqual([answer.status, answer.body.length, answer.isCut], [200, 100_000, true]);
  await until('the connection is closed', async () => (await receiver.openConnections()) === 0);
});

test('a body of exactly the bound is whole, and one byte more is cut', async () => {
  await using receiver = await HttpReceiver.start({ body: '12345' });
  await using client = new EgressClient({ allowPrivate: true });

  const whole = await client.request({ ...get, url: receiver.url, bytesMax: 5 });
  const cut = await client.request({ ...get, url: receiver.url, bytesMax: 4 });

  assert.deepEqual([whole.body.toString(), whole.isCut], ['12345', false]);
  assert.deepEqual([cut.body.toString(), cut.isCut], ['1234', true]);
});

test('connections are kept for the next request', async () => {
  await using receiver = await HttpReceiver.start();
  await using client = new EgressClient({ allowPrivate: true });

  for (let count = 0; count < 10; count += 1) await client.request({ ...get, url: receiver.url });

  // A request that follows in the same turn may find the connection not yet free and open the second and last.
  assert.equal(receiver.requests.length, 10);
  assert.ok(receiver.connections <= 2, `${receiver.connections} connections`);
});

test('an origin gets as many connections as it may have, and further requests wait for one', async () => {
  const gate = openable();
  await using receiver = await HttpReceiver.start({ after: gate.opened });
  await using client = new EgressClient({ allowPrivate: true, connectionsPerOrigin: 2 });

  const answers = Promise.all(Array.from({ length: 6 }, () => client.request({ ...get, url: receiver.url })));
  await receiver.received(2);
  gate.open();

  assert.equal((await answers).length, 6);
  assert.equal(receiver.connections, 2);
});

test('who waits for a connection past the deadline is told so, and his request is never sent', async () => {
  await using receiver = await HttpReceiver.start({ after: never });
  await using client = new EgressClient({ allowPrivate: true, connectionsPerOrigin: 1 });
  const caller = new AbortController();
  const first = client.request({ ...get, url: `${receiver.url}/first`, signal: caller.signal });
  await receiver.received(1);

  const failure = await failureOf(client.request({ ...get, url: `${receiver.url}/second`, timeoutMs: 50 }));

  assert.equal(failure.reason, 'timeout');
  caller.abort();
  await assert.rejects(first, { name: 'AbortError' });
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    ['/first'],
  );
});

test('a name that is not resolved in time is given up at the deadline', async () => {
  await using client = new EgressClient({ allowPrivate: true, resolve: () => undefined });

  const failures = await Promise.all([
    failureOf(client.request({ ...get, url: 'http://slow.example', timeoutMs: 50 })),
    failureOf(client.connect({ host: 'slow.example', port: 25, timeoutMs: 50 })),
  ]);

  assert.deepEqual(
    failures.map(({ reason }) => reason),
    ['timeout', 'timeout'],
  );
});

test("a caller's own signal ends the request with the caller's reason", async () => {
  await using receiver = await HttpReceiver.start({ after: never });
  await using client = new EgressClient({ allowPrivate: true });
  const caller = new AbortController();
  const gone = new Error('the caller has gone');

  const request = client.request({ ...get, url: receiver.url, signal: caller.signal });
  await receiver.received(1);
  caller.abort(gone);

  await assert.rejects(request, gone);
  await assert.rejects(client.request({ ...get, url: receiver.url, signal: caller.signal }), gone);
  assert.equal(receiver.requests.length, 1);
});

test('every way to fail has its reason, and no message holds path or query', async () => {
  await using reset = await HttpReceiver.start({ body: 'begun', ending: 'reset' });
  await using plain = await HttpReceiver.start();
  await using babbler = await Babbler.start('220 hello, this is no HTTP\r\n');
  await using client = new EgressClient({ allowPrivate: true, resolve: unknownName });
  const closedPort = await HttpReceiver.start();
  const closedUrl = closedPort.url;
  await closedPort.close();

  const failures = await Promise.all(
    [
      `http://no-such-name.invalid`,
      closedUrl,
      plain.url.replace('http:', 'https:'),
      reset.url,
      `http://127.0.0.1:${babbler.port}`,
      'ftp://127.0.0.1',
      'http://user:password@127.0.0.1',
      'no address',
    ].map((url) => failureOf(client.request({ ...get, url: `${url}/path?key=k` }))),
  );

  assert.deepEqual(
    failures.map(({ reason }) => reason),
    ['dns', 'connect', 'tls', 'protocol', 'protocol', 'protocol', 'protocol', 'protocol'],
  );
  for (const { message } of failures) assert.doesNotMatch(message, /path|key|password@/);
});

test('a header that would smuggle another is refused and nothing is sent', async () => {
  await using receiver = await HttpReceiver.start();
  await using client = new EgressClient({ allowPrivate: true });

  const failure = await failureOf(client.request({ ...get, url: receiver.url, headers: { 'x-a': '1\r\nx-b: 2' } }));

  assert.equal(failure.reason, 'protocol');
  assert.equal(receiver.requests.length, 0);
});

test('a closed client finishes what is under way and takes nothing more', async () => {
  const gate = openable();
  await using receiver = await HttpReceiver.start({ after: gate.opened, body: 'finished' });
  await using client = new EgressClient({ allowPrivate: true });
  const running = client.request({ ...get, url: receiver.url });
  await receiver.received(1);

  const closing = client.close();
  const late = client.request({ ...get, url: receiver.url });

  await assert.rejects(late, (error: unknown) => error instanceof SvcError && error.code === 'draining');
  gate.open();
  assert.equal((await running).body.toString(), 'finished');
  await closing;
});

test('a plain connection is made to allowed addresses, and a port where nobody listens is told apart', async () => {
  await using babbler = await Babbler.start('220 hello\r\n');
  await using client = new EgressClient({ allowPrivate: true });
  await using strict = new EgressClient({ allowPrivate: false });
  await using lost = new EgressClient({ allowPrivate: true, resolve: unknownName });
  const closed = await Babbler.start('');
  const { port } = closed;
  await closed.close();

  const socket = await client.connect({ host: 'localhost', port: babbler.port, timeoutMs: 5_000 });
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  const failures = await Promise.all([
    failureOf(client.connect({ host: '127.0.0.1', port, timeoutMs: 5_000 })),
    failureOf(lost.connect({ host: 'no-such-name.invalid', port, timeoutMs: 5_000 })),
    failureOf(strict.connect({ host: 'localhost', port: babbler.port, timeoutMs: 5_000 })),
  ]);

  assert.equal(greeting.toString(), '220 hello\r\n');
  assert.deepEqual(
    failures.map(({ reason }) => reason),
    ['connect', 'dns', 'refused_address'],
  );
});

test('a plain connection that the peer tears down before anybody listens ends nothing but itself', async () => {
  await using babbler = await Babbler.start('');
  await using client = new EgressClient({ allowPrivate: true });

  const socket = await client.connect({ host: '127.0.0.1', port: babbler.port, timeoutMs: 5_000 });
  await babbler.resetOne();

  await until('the connection is closed', () => socket.resume().closed);
  assert.equal(socket.errored instanceof Error, true);
});

/** A resolver that knows no name, and says it as Node's does. */
const unknownName: Resolve = (name, _options, done) =>
  done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), []);

/** Says one thing to whoever connects, and hears nothing. */
class Babbler implements AsyncDisposable {
  readonly #server;
  readonly #sockets: Socket[] = [];

  private constructor(text: string) {
    this.#server = createServer((socket) => {
      this.#sockets.push(socket);
      socket.on('error', () => undefined).write(text);
    });
  }

  static async start(text: string): Promise<Babbler> {
    const babbler = new Babbler(text);
    babbler.#server.listen(0, '127.0.0.1');
    await once(babbler.#server, 'listening');
    return babbler;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Tears down a connection, once there is one. */
  async resetOne(): Promise<void> {
    await until('somebody connects', () => this.#sockets.length > 0);
    this.#sockets.pop()?.resetAndDestroy();
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function openable(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

async function failureOf(work: Promise<unknown>): Promise<EgressError> {
  const thrown: unknown = await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof EgressError, String(thrown));
  return thrown;
}
