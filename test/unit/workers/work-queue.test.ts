import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { WorkQueue } from '../../../workers/threads/work-queue.ts';

test('work runs a few at a time and in the order it came', async () => {
  const queue = new WorkQueue({ runningMax: 2, waitingMax: 10 });
  const log: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    log.push(`${name} starts, ${queue.running} running`);
    await new Promise((resolve) => setImmediate(resolve));
    return name;
  };

  const done = await Promise.all(['a', 'b', 'c', 'd'].map((name) => queue.run(work(name))));

  assert.deepEqual(done, ['a', 'b', 'c', 'd']);
  assert.deepEqual(log, ['a starts, 1 running', 'b starts, 2 running', 'c starts, 2 running', 'd starts, 2 running']);
  assert.deepEqual([queue.running, queue.waiting], [0, 0]);
});

test('above its bound the queue refuses as overloaded and says when to come again', async () => {
  const queue = new WorkQueue({ runningMax: 1, waitingMax: 2 });
  const gates = [gate(), gate(), gate()];
  const taken = gates.map(({ opened }) => queue.run(() => opened));

  const refused = await failureOf(queue.run(() => Promise.resolve()));

  assert.equal(refused.code, 'overloaded');
  assert.ok((refused.details.retryAfterS ?? 0) >= 1);
  for (const { open } of gates) open();
  await Promise.all(taken);
});

test('a caller who has gone leaves the queue, and the next one moves up', async () => {
  const queue = new WorkQueue({ runningMax: 1, waitingMax: 1 });
  const first = gate();
  const gone = new AbortController();
  const running = queue.run(() => first.opened);
  const waiting = failureOf(queue.run(() => Promise.resolve('never'), gone.signal));

  gone.abort();
  const next = queue.run(() => Promise.resolve('next'));

  assert.equal((await waiting).code, 'timed_out');
  first.open();
  await running;
  assert.equal(await next, 'next');
});

test('who has gone before he came is not taken on', async () => {
  const queue = new WorkQueue({ runningMax: 1, waitingMax: 1 });

  const refused = await failureOf(queue.run(() => Promise.resolve(), AbortSignal.abort()));

  assert.equal(refused.code, 'timed_out');
  assert.equal(queue.running, 0);
});

test('failed work fails its own caller and nobody else', async () => {
  const queue = new WorkQueue({ runningMax: 1, waitingMax: 2 });

  const [failed, next] = await Promise.allSettled([
    queue.run(() => Promise.reject(new TypeError('broken'))),
    queue.run(() => Promise.resolve('fine')),
  ]);

  assert.equal(failed.status === 'rejected' && failed.reason instanceof TypeError, true);
  assert.deepEqual(next, { status: 'fulfilled', value: 'fine' });
});

test('closing refuses what waits and waits for what runs', async () => {
  const queue = new WorkQueue({ runningMax: 1, waitingMax: 2 });
  const first = gate();
  const running = queue.run(() => first.opened.then(() => 'finished'));
  const waiting = failureOf(queue.run(() => Promise.resolve()));

  const closing = queue.close();
  const late = failureOf(queue.run(() => Promise.resolve()));

  assert.deepEqual([(await waiting).code, (await late).code], ['draining', 'draining']);
  first.open();
  await closing;
  assert.equal(await running, 'finished');
});

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

async function failureOf(work: Promise<unknown>): Promise<SvcError> {
  const thrown: unknown = await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof SvcError, String(thrown));
  return thrown;
}
