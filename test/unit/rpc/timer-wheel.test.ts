import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimerWheel, WheelEntry } from '../../../proto/rpc/lane/timer-wheel.ts';
import { until } from './rpc-fixture.ts';

class Entry extends WheelEntry {
  readonly #onExpire: () => void;
  readonly startMs = performance.now();
  expiredAfterMs = 0;

  constructor(onExpire: () => void = () => undefined) {
    super();
    this.#onExpire = onExpire;
  }

  override expire(): void {
    this.expiredAfterMs = performance.now() - this.startMs;
    this.#onExpire();
  }
}

test('an entry expires after its time and not before', async () => {
  const wheel = new TimerWheel();
  const entries = [1, 20, 45, 80].map((afterMs) => ({ afterMs, entry: new Entry() }));
  for (const { afterMs, entry } of entries) wheel.add(entry, afterMs);

  await until(() => entries.every(({ entry }) => entry.expiredAfterMs > 0), 'all have expired');

  assert.ok(entries.every(({ afterMs, entry }) => entry.expiredAfterMs >= afterMs));
  wheel.close();
});

test('an entry that was taken out does not expire, also when another takes it out in the same turn', async () => {
  const wheel = new TimerWheel();
  const removed = new Entry();
  const victims = [new Entry(), new Entry()];
  const killer = new Entry(() => victims.forEach((victim) => wheel.remove(victim)));
  const last = new Entry();
  for (const entry of [removed, killer, ...victims]) wheel.add(entry, 5);
  wheel.add(last, 60);

  wheel.remove(removed);
  wheel.remove(removed);
  await until(() => last.expiredAfterMs > 0, 'the last has expired');

  assert.deepEqual(
    [removed, ...victims].map((entry) => entry.expiredAfterMs),
    [0, 0, 0],
  );
  wheel.close();
});

test('an entry beyond one round of the wheel waits for its own round', async () => {
  const wheel = new TimerWheel();
  const far = new Entry();
  const near = new Entry();
  // One round is 1024 ticks of 20 ms: both hang in the same slot.
  wheel.add(far, 1024 * 20 + 30);
  wheel.add(near, 30);

  await until(() => near.expiredAfterMs > 0, 'the near one has expired');

  assert.equal(far.expiredAfterMs, 0);
  wheel.close();
});

test('a wheel that stood still for want of entries starts again', async () => {
  const wheel = new TimerWheel();
  const first = new Entry();
  wheel.add(first, 1);
  await until(() => first.expiredAfterMs > 0, 'the first has expired');
  await until(() => !wheel.isTurning, 'the wheel stands still');
  const second = new Entry();

  wheel.add(second, 40);
  await until(() => second.expiredAfterMs > 0, 'the second has expired');

  assert.ok(second.expiredAfterMs >= 40);
  wheel.close();
});
