import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fault, SvcError } from '../../../proto/errors/svc-error.ts';
import { HashThreads } from '../../../workers/threads/hash-threads.ts';

const threads = new HashThreads({ threads: 1, waitingMax: 4 });
after(() => threads.close());

test('a hash is salted, has the cost that was asked for, and verifies its password alone', async () => {
  const first = await threads.hash({ password: 'correct horse ü', cost: 10 });
  const second = await threads.hash({ password: 'correct horse ü', cost: 10 });

  assert.match(first, /^\$2b\$10\$[./A-Za-z0-9]{53}$/);
  assert.notEqual(first, second);
  assert.equal(await threads.verify({ password: 'correct horse ü', hash: first }), true);
  assert.equal(await threads.verify({ password: 'correct horse u', hash: first }), false);
});

test('hashes that PHP wrote verify, and what is no hash matches nothing', async () => {
  const hash = await threads.hash({ password: 'known', cost: 10 });

  const verdicts = await Promise.all([
    threads.verify({ password: 'known', hash: hash.replace('$2b$', '$2y$') }),
    threads.verify({ password: 'known', hash: '' }),
    threads.verify({ password: 'known', hash: 'known' }),
  ]);

  assert.deepEqual(verdicts, [true, false, false]);
});

test('passwords that differ only after a NUL are different passwords', async () => {
  const hash = await threads.hash({ password: 'a\0b', cost: 10 });

  assert.equal(await threads.verify({ password: 'a\0c', hash }), false);
  assert.equal(await threads.verify({ password: 'a\0b', hash }), true);
});

test('72 bytes are a password, and more are refused rather than cut, however many characters they are', async () => {
  const most = 'ä'.repeat(36);
  const hash = await threads.hash({ password: most, cost: 10 });

  const failures = await Promise.all([
    failureOf(threads.hash({ password: `${most}b`, cost: 10 })),
    failureOf(threads.verify({ password: `${most}b`, hash })),
  ]);

  assert.equal(await threads.verify({ password: most, hash }), true);
  for (const failure of failures) {
    assert.ok(failure instanceof SvcError);
    assert.equal(failure.code, 'validation_failed');
    assert.deepEqual(failure.details.data, { password: fault('too_many_bytes', { max: 72 }) });
  }
});

test('a cost that would be weak or take a thread for minutes is refused', async () => {
  const endless = `$2b$31$${'a'.repeat(53)}`;

  const failures = await Promise.all([
    failureOf(threads.hash({ password: 'p', cost: 4 })),
    failureOf(threads.hash({ password: 'p', cost: 31 })),
    failureOf(threads.verify({ password: 'p', hash: endless })),
  ]);

  assert.ok(failures.every((failure) => failure instanceof RangeError));
});

test('with a full queue a password is refused as overloaded, and those taken on are hashed', async () => {
  const taken = Array.from({ length: 5 }, () => threads.hash({ password: 'p', cost: 10 }));

  const refused = await failureOf(threads.hash({ password: 'p', cost: 10 }));

  assert.ok(refused instanceof SvcError && refused.code === 'overloaded' && (refused.details.retryAfterS ?? 0) >= 1);
  assert.equal((await Promise.all(taken)).length, 5);
});

test('while passwords are hashed the event loop turns freely', async () => {
  const hashing = Promise.all(Array.from({ length: 4 }, () => threads.hash({ password: 'p', cost: 10 })));
  let turns = 0;
  const counter = setInterval(() => (turns += 1), 1);

  await hashing;

  clearInterval(counter);
  assert.ok(turns > 20, `${turns} turns during four hashes`);
});

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
}
