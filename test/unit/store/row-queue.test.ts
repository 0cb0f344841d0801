import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowQueue } from '../../../store/records/row-queue.ts';

const wanted = () => true;

function closedGate(): { gate: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return { gate, open };
}

test('writes of one row take turns, writes of another do not wait', async () => {
  const queue = new RowQueue();
  const order: string[] = [];
  const { gate, open } = closedGate();

  const first = queue.run('a', wanted, async () => {
    await gate;
    order.push('first of a');
  });
  const second = queue.run('a', wanted, async () => void order.push('second of a'));
  await queue.run('b', wanted, async () => void order.push('b'));
  open();
  await Promise.all([first, second]);

  assert.deepEqual(order, ['b', 'first of a', 'second of a']);
});

test('a failed write does not stop the next one', async () => {
  const queue = new RowQueue();

  const failing = queue.run('a', wanted, () => Promise.reject(new Error('no')));
  const next = queue.run('a', wanted, () => Promise.resolve('done'));

  await assert.rejects(failing, /no/);
  assert.equal(await next, 'done');
});

test('what nobody wants any more when its turn comes is not begun', async () => {
  const queue = new RowQueue();
  const { gate, open } = closedGate();
  let begun = false;

  const first = queue.run('a', wanted, () => gate);
  const second = queue.run(
    'a',
    () => false,
    async () => void (begun = true),
  );
  open();
  await first;

  await assert.rejects(second, { code: 'timed_out' });
  assert.equal(begun, false);
});

test('a row that a thousand writes wait for takes no more', async () => {
  const queue = new RowQueue();
  const { gate, open } = closedGate();

  const waiting = Array.from({ length: 1_000 }, () => queue.run('a', wanted, () => gate));

  await assert.rejects(
    queue.run('a', wanted, () => gate),
    { code: 'overloaded' },
  );
  open();
  await Promise.all(waiting);
});
