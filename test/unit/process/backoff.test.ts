import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Backoff } from '../../../proto/process/backoff.ts';

describe('the back-off', () => {
  it('doubles its ceiling up to the limit', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 1_000, random: () => 1 });

    assert.deepEqual(
      Array.from({ length: 6 }, () => backoff.next()),
      [100, 200, 400, 800, 1_000, 1_000],
    );
  });

  it('draws from the whole range below the ceiling, but never no wait at all', () => {
    const least = new Backoff({ firstMs: 100, maxMs: 1_000, random: () => 0 });

    assert.deepEqual(
      Array.from({ length: 4 }, () => least.next()),
      [50, 50, 50, 50],
    );
  });

  it('starts from the beginning after a success', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 1_000, random: () => 1 });
    backoff.next();
    backoff.next();

    backoff.reset();

    assert.deepEqual([backoff.failures, backoff.next()], [0, 100]);
  });

  it('stays finite after very many failures', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 1_000, random: () => 1 });
    for (let failure = 0; failure < 5_000; failure += 1) backoff.next();

    assert.equal(backoff.next(), 1_000);
  });
});
