import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { Operation } from '../../../proto/gen/svc/v1/lane.ts';
import { RecordsService } from '../../../proto/gen/svc/v1/records.ts';
import { openChannel } from '../../../proto/rpc/client.ts';
import { memberMetadata } from '../../../proto/rpc/identity.ts';
import { clientLimits } from '../../../proto/rpc/lane-limits.ts';
import { LanePool, type LanePoolOptions } from '../../../proto/rpc/lane-pool.ts';
import { parseTarget } from '../../../proto/rpc/target.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { PeerProcess } from './peer-process.ts';
import { identity, Latch, SocketFolder, TestLane, TestLog, until } from './rpc-fixture.ts';

const view = { operation: Operation.VIEW_RECORD } as const;

test('when the service is killed every pending call rejects as unavailable at once, and the lane comes back with the service', async () => {
  using folder = new SocketFolder();
  const address = folder.address('peer');
  const first = await PeerProcess.start(address);
  await using pool = openPool(address);
  await pool.whenReady();
  const pending = Array.from({ length: 200 }, () => pool.call({ ...view, record: 'stuck' }).answer);

  await first.kill();

  const outcomes = await Promise.allSettled(pending);
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && isCode('unavailable')(outcome.reason)));
  assert.equal(pool.ready, false);
  await assert.rejects(pool.call(view).answer, isCode('unavailable'));
  await using second = await PeerProcess.start(address);
  await pool.whenReady();
  assert.equal((await pool.call({ ...view, body: String(second.pid) }).answer).body.toString(), String(second.pid));
});

test('a service that drains answers all it was asked, and another takes over without one failed call', async () => {
  using folder = new SocketFolder();
  const leaving = await PeerProcess.start(folder.address('leaving'));
  await using staying = await PeerProcess.start(folder.address('staying'));
  await using pool = openPool(`${folder.address('leaving')},${folder.address('staying')}`);
  await until(() => pool.stats().every((lane) => lane.ready), 'both lanes are ready');
  const slow = Array.from({ length: 100 }, () => pool.call({ ...view, record: '150' }).answer);
  let failures = 0;
  const over = new AbortController();
  const steady = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) await pool.call({ ...view, body: 'x' }).answer.catch(() => (failures += 1));
  });

  await leaving.drain();

  over.abort();
  await Promise.all(steady);
  assert.ok((await Promise.all(slow)).every((answer) => answer.status === 200));
  assert.equal(failures, 0);
  assert.equal((await pool.call({ ...view, body: String(staying.pid) }).answer).status, 200);
});

test('a service that has stopped answering gets no more calls while there is another', async () => {
  using folder = new SocketFolder();
  await using stopped = await PeerProcess.start(folder.address('stopped'));
  await using _running = await PeerProcess.start(folder.address('running'));
  await using pool = openPool(`${folder.address('stopped')},${folder.address('running')}`);
  await until(() => pool.stats().every((lane) => lane.ready), 'both lanes are ready');
  stopped.signal('SIGSTOP');
  const lost = Array.from({ length: 8 }, () => pool.call({ ...view, timeoutMs: 60_000 }).answer.catch(() => undefined));
  await until(() => pool.stats().some((lane) => lane.silent), 'the silence is noticed');

  const answers = await Promise.all(Array.from({ length: 100 }, () => pool.call({ ...view, timeoutMs: 60_000, body: 'x' }).answer));

  assert.ok(answers.every((answer) => answer.status === 200));
  await stopped.kill();
  await Promise.all(lost);
});

test('a lane with a wrong cluster key is never ready, and its calls are unavailable', async () => {
  await using lane = await TestLane.open({ server: { handle: () => ({ status: 200 }) } });
  await using stranger = openPool(lane.folder.address('lane'), { identity: { clusterKey: 'the key of another cluster' } });

  await until(() => warnings(stranger).length > 0, 'the refusal is in the log');

  assert.equal(stranger.ready, false);
  await assert.rejects(stranger.call(view).answer, isCode('unavailable'));
  assert.match(JSON.stringify(warnings(stranger)), /not a member/);
  assert.equal(lane.lane.stats().lanes, 1);
});

test('a flood of ten thousand calls at a slow service stays within its limits: some are answered, the others refused, none is lost', async () => {
  let running = 0;
  let most = 0;
  await using lane = await TestLane.open({
    server: {
      handle: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return { status: 200 };
      },
      limits: { read: { frames: 1000, bytes: 4_000_000 }, write: { frames: 1, bytes: 1 }, slow: { frames: 1, bytes: 1 } },
    },
    client: { limits: { ...clientLimits, read: { frames: 10_000, bytes: 1024 * 1024 * 1024 } } },
  });
  const body = Buffer.alloc(8000, 'x');
  const before = process.memoryUsage().arrayBuffers;

  const answers = await Promise.all(Array.from({ length: 10_000 }, () => statusOf(lane.pool, { ...view, body })));

  assert.ok(most <= 500, `${most} at once are more than 4 MB of bodies`);
  assert.deepEqual(
    [...new Set(answers)].toSorted((one, other) => one - other),
    [200, 503],
  );
  await collectGarbage();
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024);
});

test('a gateway that takes no answers costs the service a bounded memory, and the others nothing', async () => {
  const held = new Latch();
  await using lane = await TestLane.open({ server: { handle: () => ({ status: 200, body: 'x'.repeat(1024 * 1024) }) } });
  using relay = await StallingRelay.open(lane.folder.path);
  await using stalled = openPool(`unix:${relay.path}`);
  await stalled.whenReady();
  relay.stall();

  const calls = Array.from({ length: 400 }, () => stalled.call({ ...view, timeoutMs: 60_000 }).answer.catch(() => held.open()));
  await until(() => lane.lane.stats().shed > 0, 'the service lets answers go');

  assert.ok(lane.lane.stats().queuedBytes < 80 * 1024 * 1024);
  assert.equal((await lane.pool.call(view).answer).status, 200);
  await stalled.close(0);
  await Promise.all(calls);
  await until(() => lane.lane.stats().queuedBytes === 0, 'what was queued for the stalled gateway is let go');
});

test('when a gateway has gone the handlers of its calls are told', async () => {
  let told = 0;
  await using lane = await TestLane.open({
    server: {
      handle: (_call, context) => {
        context.onCancel(() => (told += 1));
        return new Promise(() => undefined);
      },
    },
  });
  const pending = Array.from({ length: 50 }, () => lane.pool.call(view).answer);
  await until(() => lane.lane.stats().outstanding.read === 50, 'the calls are at the handler');

  await lane.pool.close(0);

  assert.ok((await Promise.allSettled(pending)).every((outcome) => outcome.status === 'rejected'));
  await until(() => told === 50, 'the handlers are told');
  assert.equal(lane.lane.stats().lanes, 0);
});

test('a batch that cannot be read ends the lane it came on, and no other', async () => {
  await using lane = await TestLane.open({ server: { handle: () => ({ status: 200 }) } });
  const channel = openChannel(parseTarget(lane.folder.address('lane')), identity);
  const stream = channel.makeBidiStreamRequest<Buffer, Buffer>(RecordsService.pipe.path, asIs, asIs, memberMetadata(identity));
  const failed = once(stream, 'error');

  stream.write(Buffer.from('0aff', 'hex'));

  assert.match(String(await failed), /INVALID_ARGUMENT/);
  assert.equal((await lane.pool.call(view).answer).status, 200);
  await until(() => lane.lane.stats().lanes === 1, 'only the good lane is left');
  channel.close();
});

test('closing the pool waits for the pending calls and takes no new ones', async () => {
  const latch = new Latch();
  await using lane = await TestLane.open({ server: { handle: () => latch.opened.then(() => ({ status: 204 })) } });
  const pending = lane.pool.call(view).answer;
  await until(() => lane.lane.stats().outstanding.read === 1, 'the call is at the handler');

  const closing = lane.pool.close(5000);
  const late = lane.pool.call(view).answer;
  latch.open();

  assert.equal((await pending).status, 204);
  await assert.rejects(late, isCode('unavailable'));
  await closing;
});

test('a lane whose service listens nowhere is not ready, and closes at once', async () => {
  using folder = new SocketFolder();
  const pool = openPool(folder.address('nobody'));
  await until(() => warnings(pool).length > 0, 'the first vain try is in the log');
  const startMs = performance.now();

  await pool.close();

  assert.equal(pool.ready, false);
  assert.ok(performance.now() - startMs < 1000);
});

const logs = new WeakMap<LanePool, TestLog>();

function openPool(targets: string, options: Partial<LanePoolOptions> = {}): LanePool {
  const log = new TestLog();
  const pool = new LanePool({ targets, identity, path: RecordsService.pipe.path, log, warmUpMs: 0, ...options });
  logs.set(pool, log);
  return pool;
}

function warnings(pool: LanePool): unknown[] {
  return logs.get(pool)?.lines.filter((line) => line.level === 'warn') ?? [];
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

function statusOf(pool: LanePool, fields: Parameters<LanePool['call']>[0]): Promise<number> {
  return pool.call(fields).answer.then(
    (answer) => answer.status,
    (error: SvcError) => error.status,
  );
}

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SvcError && error.code === code;
}

/** Passes bytes on between a gateway and the service's socket, until it stops passing any to the gateway. */
class StallingRelay implements Disposable {
  readonly path: string;
  readonly #server: Server;
  #stall: () => void = () => undefined;

  private constructor(folder: string) {
    this.path = `${folder}/relay.sock`;
    this.#server = createServer((gateway) => {
      const service = connect(`${folder}/lane.sock`);
      gateway.pipe(service);
      service.pipe(gateway);
      gateway.on('error', () => service.destroy()).on('close', () => service.destroy());
      service.on('error', () => gateway.destroy());
      this.#stall = () => void service.unpipe(gateway).pause();
    });
  }

  static async open(folder: string): Promise<StallingRelay> {
    const relay = new StallingRelay(folder);
    relay.#server.listen(relay.path);
    await once(relay.#server, 'listening');
    return relay;
  }

  stall(): void {
    this.#stall();
  }

  [Symbol.dispose](): void {
    this.#server.close();
  }
}
