import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { Operation } from '../../../proto/gen/svc/v1/lane.ts';
import type { LaneAnswer, LaneCall } from '../../../proto/rpc/lane-codec.ts';
import { clientLimits, serverLimits, type LaneClass } from '../../../proto/rpc/lane-limits.ts';
import type { LaneContext } from '../../../proto/rpc/lane-server.ts';
import { Latch, TestLane, until } from './rpc-fixture.ts';

const view = { operation: Operation.VIEW_RECORD } as const;
const update = { operation: Operation.UPDATE_RECORD, class: 'slow' } as const;

test('a call arrives as it was made, and its answer as it was given', async () => {
  await using lane = await TestLane.open({
    server: {
      handle: (call) => ({ status: 201, body: JSON.stringify({ ...call, id: 0, body: call.body.toString() }), etag: '"1.7"', retryAfterS: 3 }),
    },
  });

  const answer = await lane.pool.call({
    ...view,
    timeoutMs: 900,
    collection: 'Bücher',
    record: 'r',
    query: 'a=b',
    body: '{"ß":1}',
    credential: 'c',
    requestId: 'q',
    headers: 'host: h\n',
  }).answer;

  assert.deepEqual(
    { status: answer.status, etag: answer.etag, retryAfterS: answer.retryAfterS, call: jsonOf(answer) },
    {
      status: 201,
      etag: '"1.7"',
      retryAfterS: 3,
      call: {
        id: 0,
        operation: Operation.VIEW_RECORD,
        timeoutMs: 900,
        collection: 'Bücher',
        record: 'r',
        query: 'a=b',
        body: '{"ß":1}',
        credential: 'c',
        requestId: 'q',
        ifMatch: '',
        ifNoneMatch: '',
        idempotencyKey: '',
        headers: 'host: h\n',
      },
    },
  );
});

test('each of ten thousand calls gets its own answer, in whatever order they come', async () => {
  await using lane = await TestLane.open({ server: { handle: (call) => later(call.record) }, client: { limits: wideLimits(10_000) } });

  const answers = await Promise.all(Array.from({ length: 10_000 }, (_, index) => lane.pool.call({ ...view, record: `r${index}` }).answer));

  assert.deepEqual(
    answers.map((answer) => answer.body.toString()),
    Array.from({ length: 10_000 }, (_, index) => `r${index}`),
  );
});

test('a body of five megabytes passes both ways beside small ones', async () => {
  await using lane = await TestLane.open({ server: { handle: (call) => ({ status: 200, body: call.body }) } });
  const large = Buffer.alloc(5 * 1024 * 1024, 'ä');

  const [one, two, small] = await Promise.all([
    lane.pool.call({ ...view, class: 'write', body: large }).answer,
    lane.pool.call({ ...view, class: 'write', body: large }).answer,
    lane.pool.call({ ...view, body: 'x' }).answer,
  ]);

  assert.ok(one.body.equals(large) && two.body.equals(large));
  assert.equal(small.body.toString(), 'x');
});

test('a thousand stuck slow calls stop no read', async () => {
  const stuck = new Latch();
  await using lane = await TestLane.open({
    server: {
      handle: (call) => (call.operation === Operation.UPDATE_RECORD ? stuck.opened.then(() => ({ status: 200 })) : { status: 200, body: 'read' }),
      classOf,
    },
    client: { limits: { ...clientLimits, slow: { frames: 1000, bytes: 1024 * 1024 } } },
  });
  const slow = Array.from({ length: 1000 }, () => lane.pool.call(update).answer);
  await until(() => lane.lane.stats().outstanding.slow === 1000, 'all slow calls are at the handler');

  const reads = await Promise.all(Array.from({ length: 500 }, () => lane.pool.call(view).answer));

  assert.ok(reads.every((answer) => answer.body.toString() === 'read'));
  assert.equal(lane.lane.stats().outstanding.slow, 1000);
  stuck.open();
  await Promise.all(slow);
});

test('calls above the limit of their class are refused by the gateway, and only those', async () => {
  const stuck = new Latch();
  await using lane = await TestLane.open({
    server: { handle: () => stuck.opened.then(() => ({ status: 200 })), classOf },
    client: { limits: { ...clientLimits, slow: { frames: 2, bytes: 1000 } } },
  });
  const taken = [lane.pool.call(update).answer, lane.pool.call(update).answer];

  const refused = lane.pool.call(update).answer;
  const read = lane.pool.call(view).answer;

  await assert.rejects(refused, isCode('overloaded'));
  stuck.open();
  assert.deepEqual(
    (await Promise.all([...taken, read])).map((answer) => answer.status),
    [200, 200, 200],
  );
});

test('calls above the limit of the service are answered 503 with a Retry-After, and the others wait on', async () => {
  const stuck = new Latch();
  await using lane = await TestLane.open({
    server: { handle: () => stuck.opened.then(() => ({ status: 200 })), classOf, limits: { ...serverLimits, slow: { frames: 2, bytes: 1000 } } },
  });
  const taken = [lane.pool.call(update).answer, lane.pool.call(update).answer];

  const refused = await lane.pool.call(update).answer;

  assert.equal(refused.status, 503);
  assert.equal(refused.retryAfterS, 1);
  assert.equal((jsonOf(refused) as { code: number }).code, 503);
  stuck.open();
  assert.deepEqual(
    (await Promise.all(taken)).map((answer) => answer.status),
    [200, 200],
  );
});

test('bodies count against their class too, but one large body alone is always taken', async () => {
  const stuck = new Latch();
  await using lane = await TestLane.open({
    server: { handle: () => stuck.opened.then(() => ({ status: 200 })) },
    client: { limits: { ...clientLimits, write: { frames: 100, bytes: 1000 } } },
  });
  const large = lane.pool.call({ ...view, class: 'write', body: 'x'.repeat(5000) }).answer;

  const second = lane.pool.call({ ...view, class: 'write', body: 'x' }).answer;

  await assert.rejects(second, isCode('overloaded'));
  stuck.open();
  assert.equal((await large).status, 200);
});

test('a cancelled call rejects at once, and its handler is told', async () => {
  const contexts: LaneContext[] = [];
  const told: string[] = [];
  await using lane = await TestLane.open({
    server: {
      handle: (call, context) => {
        contexts.push(context);
        context.onCancel(() => told.push(call.record));
        return new Promise(() => undefined);
      },
    },
  });
  const pending = lane.pool.call({ ...view, record: 'one' });
  await until(() => contexts.length === 1, 'the handler has the call');

  pending.cancel();

  await assert.rejects(pending.answer, isCode('unavailable'));
  await until(() => told.length === 1, 'the handler is told');
  assert.deepEqual(told, ['one']);
  assert.equal(contexts[0]?.cancelled, true);
});

test('a call that is cancelled before it left never arrives', async () => {
  const arrived: string[] = [];
  await using lane = await TestLane.open({ server: { handle: (call) => ({ status: 200, body: String(arrived.push(call.record)) }) } });

  const first = lane.pool.call({ ...view, record: 'cancelled' });
  first.cancel();
  await lane.pool.call({ ...view, record: 'kept' }).answer;

  await assert.rejects(first.answer, isCode('unavailable'));
  assert.deepEqual(arrived, ['kept']);
});

test('the late answer of a call given up never reaches another call', async () => {
  const latches = new Map<string, Latch>();
  await using lane = await TestLane.open({
    server: {
      handle: (call) => {
        const latch = new Latch();
        latches.set(call.record, latch);
        return latch.opened.then(() => ({ status: 200, body: call.record }));
      },
    },
  });
  const given = lane.pool.call({ ...view, record: 'given up' });
  await until(() => latches.has('given up'), 'the first call is at the handler');
  given.cancel();
  const next = lane.pool.call({ ...view, record: 'next' });
  await until(() => latches.has('next'), 'the second call is at the handler');

  latches.get('given up')?.open();
  latches.get('next')?.open();

  assert.equal((await next.answer).body.toString(), 'next');
});

test('a call whose deadline has passed rejects as timed_out, and its handler is told', async () => {
  let cancelled = 0;
  await using lane = await TestLane.open({
    server: {
      handle: (_call, context) => {
        context.onCancel(() => (cancelled += 1));
        return new Promise(() => undefined);
      },
    },
  });

  await assert.rejects(lane.pool.call({ ...view, timeoutMs: 40 }).answer, isCode('timed_out'));

  await until(() => cancelled === 1, 'the handler is told');
});

test('a handler that takes longer than its service allows is answered for, and told', async () => {
  let cancelled = 0;
  await using lane = await TestLane.open({
    server: {
      timeoutMsMax: 40,
      handle: (_call, context) => {
        context.onCancel(() => (cancelled += 1));
        return new Promise(() => undefined);
      },
    },
  });

  const answer = await lane.pool.call(view).answer;

  assert.equal(answer.status, 503);
  assert.equal(answer.retryAfterS, 1);
  assert.equal(cancelled, 1);
});

test('what a handler throws becomes the problem body of its code, and our own mistakes are logged and not told', async () => {
  await using lane = await TestLane.open({
    server: {
      handle: (call) => {
        if (call.record === 'known') throw new SvcError('schema_busy', { retryAfterS: 2 });
        return Promise.reject(new Error('the password is hunter2'));
      },
    },
  });

  const known = await lane.pool.call({ ...view, record: 'known' }).answer;
  const unknown = await lane.pool.call({ ...view, requestId: 'request-1' }).answer;

  assert.deepEqual([known.status, known.retryAfterS], [503, 2]);
  assert.equal(unknown.status, 500);
  assert.equal(unknown.body.toString(), '{"code":500,"message":"Something went wrong on our side; the request id is request-1.","data":{}}');
  const logged = lane.log.lines.filter((line) => line.level === 'error').map((line) => line.fields as { requestId: string; err: Error });
  assert.deepEqual(
    logged.map(({ requestId, err }) => [requestId, err.message]),
    [['request-1', 'the password is hunter2']],
  );
});

test('an answer too large for one message is told as such, and the lane lives on', async () => {
  await using lane = await TestLane.open({
    server: { handle: (call) => ({ status: 200, body: call.record === 'large' ? Buffer.alloc(33 * 1024 * 1024) : 'small' }) },
  });

  const large = await lane.pool.call({ ...view, record: 'large' }).answer;
  const small = await lane.pool.call(view).answer;

  assert.equal(large.status, 400);
  assert.equal(small.body.toString(), 'small');
});

test('a call too large for one message is refused, and the lane lives on', async () => {
  await using lane = await TestLane.open({ server: { handle: () => ({ status: 200 }) } });

  await assert.rejects(lane.pool.call({ ...view, class: 'write', body: Buffer.alloc(33 * 1024 * 1024) }).answer, isCode('body_too_large'));

  assert.equal((await lane.pool.call(view).answer).status, 200);
});

function jsonOf(answer: LaneAnswer): unknown {
  return JSON.parse(answer.body.toString());
}

function classOf(call: LaneCall): LaneClass {
  return call.operation === Operation.UPDATE_RECORD ? 'slow' : 'read';
}

function wideLimits(frames: number) {
  return { ...clientLimits, read: { frames, bytes: clientLimits.read.bytes } };
}

async function later(record: string) {
  if (record.endsWith('3')) await new Promise((resolve) => setImmediate(resolve));
  return { status: 200, body: record };
}

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SvcError && error.code === code;
}
