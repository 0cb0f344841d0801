import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { HashingService } from '../../../proto/gen/svc/v1/hashing.ts';
import { RecordsService } from '../../../proto/gen/svc/v1/records.ts';
import { ConfigError } from '../../../proto/process/config-error.ts';
import { RpcClient } from '../../../proto/rpc/client.ts';
import type { RpcIdentity } from '../../../proto/rpc/identity.ts';
import { LanePool } from '../../../proto/rpc/lane-pool.ts';
import { LaneServer } from '../../../proto/rpc/lane-server.ts';
import { RpcServer } from '../../../proto/rpc/server.ts';
import { TestAuthority } from './certificates.ts';
import { identity, SocketFolder, TestLog } from './rpc-fixture.ts';

const info = { requestId: 'r', timeoutMs: 3000 };
const request = { password: 'p', hash: 'h' };

test('a unix socket is for its owner alone, and gone when the server has closed', async () => {
  using folder = new SocketFolder();
  const server = serverAt(`unix:${folder.path}/deeper/rpc.sock`);

  await server.listen();

  assert.equal(statSync(`${folder.path}/deeper/rpc.sock`).mode & 0o777, 0o600);
  assert.equal(statSync(`${folder.path}/deeper`).mode & 0o777, 0o700);
  await server.close();
  assert.equal(existsSync(`${folder.path}/deeper/rpc.sock`), false);
});

test('a socket that a killed process left behind is replaced', async () => {
  using folder = new SocketFolder();
  leaveSocketBehind(`${folder.path}/rpc.sock`);
  await using server = serverAt(folder.address('rpc'));
  await using client = new RpcClient({ targets: folder.address('rpc'), identity });

  await server.listen();

  assert.deepEqual(await client.unary(HashingService.verifyPassword, request, info), { matches: true });
});

test('a socket that somebody listens on is left alone', async () => {
  using folder = new SocketFolder();
  await using first = serverAt(folder.address('rpc'));
  await first.listen();
  const second = serverAt(folder.address('rpc'));

  await assert.rejects(second.listen(), /another process listens/);

  await using client = new RpcClient({ targets: folder.address('rpc'), identity });
  assert.deepEqual(await client.unary(HashingService.verifyPassword, request, info), { matches: true });
});

test('a file in the place of the socket is not touched', async () => {
  using folder = new SocketFolder();
  writeFileSync(`${folder.path}/rpc.sock`, 'precious');

  await assert.rejects(serverAt(folder.address('rpc')).listen(), ConfigError);

  assert.equal(existsSync(`${folder.path}/rpc.sock`), true);
});

test('a folder that others can enter is refused', async () => {
  using folder = new SocketFolder();
  chmodSync(folder.path, 0o755);

  await assert.rejects(serverAt(folder.address('rpc')).listen(), /0700/);
});

test('no server listens on TCP without a way to prove membership', async () => {
  await assert.rejects(
    serverAt('127.0.0.1:0', {}).listen(),
    (error: unknown) => error instanceof ConfigError && error.message.includes('SVC_CLUSTER_KEY'),
  );
});

test('over TCP with the cluster key a call arrives', async () => {
  await using server = serverAt('127.0.0.1:0');
  const address = await server.listen();
  await using client = new RpcClient({ targets: address, identity });

  assert.deepEqual(await client.unary(HashingService.verifyPassword, request, info), { matches: true });
});

test('with TLS a member reaches unary calls and the lane, and the port says no more than that', async () => {
  const authority = new TestAuthority('cluster');
  await using server = serverAt('localhost:0', { tls: authority.member() });
  const address = await server.listen();
  await using client = new RpcClient({ targets: address, identity: { tls: authority.member() } });
  await using pool = new LanePool({
    targets: address,
    identity: { tls: authority.member() },
    path: RecordsService.pipe.path,
    log: new TestLog(),
    warmUpMs: 0,
  });

  await pool.whenReady();

  assert.deepEqual(await client.unary(HashingService.verifyPassword, request, info), { matches: true });
  assert.equal((await pool.call({ operation: 1 }).answer).status, 200);
});

test('with TLS a stranger is refused: no certificate, one of another authority, and plain text', async () => {
  const authority = new TestAuthority('cluster');
  const other = new TestAuthority('other');
  await using server = serverAt('localhost:0', { tls: authority.member() });
  const address = await server.listen();
  const strangers: RpcIdentity[] = [
    { tls: { ...other.member(), ca: authority.certificate } },
    { tls: { ...authority.member(), ca: other.certificate } },
    identity,
  ];

  const outcomes = await Promise.allSettled(strangers.map((stranger) => callOnce(address, stranger)));

  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code),
    ['unavailable', 'unavailable', 'unavailable'],
  );
});

test('bytes that are no HTTP/2 leave the server up', async () => {
  await using server = serverAt('127.0.0.1:0');
  const address = await server.listen();
  const socket = connect(Number(address.split(':')[1]), '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(1000));
  await once(socket, 'close');
  await using client = new RpcClient({ targets: address, identity });

  assert.deepEqual(await client.unary(HashingService.verifyPassword, request, info), { matches: true });
});

test('a port that is taken is refused', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };

  await assert.rejects(serverAt(`127.0.0.1:${port}`).listen(), /EADDRINUSE|No address added/);

  taken.close();
});

function serverAt(listen: string, who: RpcIdentity = identity): RpcServer {
  const log = new TestLog();
  const server = new RpcServer({ listen, identity: who, log, drainMs: 2000 });
  server.add(HashingService, { hashPassword: () => ({ hash: '' }), verifyPassword: () => ({ matches: true }) });
  server.add(RecordsService, { pipe: new LaneServer({ handle: () => ({ status: 200 }), classOf: () => 'read', log }) });
  return server;
}

async function callOnce(address: string, who: RpcIdentity): Promise<unknown> {
  await using client = new RpcClient({ targets: address, identity: who });
  return await client.unary(HashingService.verifyPassword, request, info);
}

/** Listens in another process, and kills it. */
function leaveSocketBehind(file: string): void {
  spawnSync(process.execPath, ['-e', `require('net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`]);
  assert.ok(existsSync(file));
}
