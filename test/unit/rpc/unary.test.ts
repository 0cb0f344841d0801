import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, SvcError } from '../../../proto/errors/svc-error.ts';
import { HashingService, type HashPasswordReply, type HashPasswordRequest } from '../../../proto/gen/svc/v1/hashing.ts';
import { RpcClient } from '../../../proto/rpc/client.ts';
import { RpcServer } from '../../../proto/rpc/server.ts';
import type { ServedUnary, UnaryHandler } from '../../../proto/rpc/unary.ts';
import { identity, Latch, SocketFolder, TestLog, until } from './rpc-fixture.ts';

const request: HashPasswordRequest = { password: 'p', cost: 10 };
const info = { requestId: 'request-1' };

test('request id, credential, trace and deadline arrive with the call', async () => {
  let seen: ServedUnary | undefined;
  await using service = await TestService.open((_request, call) => {
    seen = call;
    return { hash: 'h' };
  });

  const reply = await service.client.unary(HashingService.hashPassword, request, {
    ...info,
    credential: 'Bearer ä\n',
    traceparent: '00-ab-cd-01',
    timeoutMs: 5000,
  });

  assert.deepEqual(reply, { hash: 'h' });
  assert.deepEqual([seen?.requestId, seen?.credential, seen?.traceparent], ['request-1', 'Bearer ä\n', '00-ab-cd-01']);
  assert.ok(seen !== undefined && seen.timeoutMs > 3000 && seen.timeoutMs <= 5000);
});

test('a SvcError arrives as it was thrown: code, values, fields and retry', async () => {
  const details = {
    values: { reason: 'the field "ü" is 100 % wrong' },
    data: { ü: fault('too_long', { max: 3 }), __proto__x: fault('required') },
    retryAfterS: 9,
  };
  await using service = await TestService.open(() => {
    throw new SvcError('data_conflict', details);
  });

  const error = await failureOf(service.client.unary(HashingService.hashPassword, request, info));

  assert.equal(error.code, 'data_conflict');
  assert.equal(error.status, 409);
  assert.deepEqual(error.details, details);
  assert.equal(error.message, 'The stored records do not allow this change: the field "ü" is 100 % wrong.');
  assert.deepEqual(service.log.lines, []);
});

test('a failure with more faults than a trailer holds arrives with the first of them', async () => {
  const data = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field_${index}`, fault('required')]));
  await using service = await TestService.open(() => {
    throw new SvcError('validation_failed', { data });
  });

  const error = await failureOf(service.client.unary(HashingService.hashPassword, request, info));

  assert.equal(error.code, 'validation_failed');
  assert.deepEqual(error.details.data?.['field_0'], fault('required'));
  assert.ok(Object.keys(error.details.data ?? {}).length > 50);
});

test('our own mistake arrives as internal with the request id, and is told to our log alone', async () => {
  await using service = await TestService.open(() => Promise.reject(new Error('the password is hunter2')));

  const error = await failureOf(service.client.unary(HashingService.hashPassword, request, info));

  assert.equal(error.code, 'internal');
  assert.equal(error.message, 'Something went wrong on our side; the request id is request-1.');
  assert.ok(!JSON.stringify(error.cause).includes('hunter2'));
  assert.deepEqual(
    service.log.lines.map(({ level, fields }) => [level, (fields as { requestId: string }).requestId, (fields as { err: Error }).err.message]),
    [['error', 'request-1', 'the password is hunter2']],
  );
});

test('a call whose deadline passes rejects as timed_out, and its handler is told', async () => {
  let isAborted = false;
  await using service = await TestService.open((_request, { signal }) => {
    signal.addEventListener('abort', () => (isAborted = true));
    return new Promise(() => undefined);
  });

  const error = await failureOf(service.client.unary(HashingService.hashPassword, request, { ...info, timeoutMs: 50 }));

  assert.equal(error.code, 'timed_out');
  await until(() => isAborted, 'the handler is told');
});

test('a service that is away is unavailable, and is found again when it is back', async () => {
  using folder = new SocketFolder();
  await using client = new RpcClient({ targets: folder.address('rpc'), identity });
  const error = await failureOf(client.unary(HashingService.hashPassword, request, info));

  await using server = serverAt(folder.address('rpc'), () => ({ hash: 'back' }));
  await server.listen();

  assert.equal(error.code, 'unavailable');
  assert.deepEqual(await eventually(() => client.unary(HashingService.hashPassword, request, info)), { hash: 'back' });
});

test('of two services the one that is there gets the calls', async () => {
  await using service = await TestService.open(() => ({ hash: 'here' }));
  await using client = new RpcClient({ targets: `${service.folder.address('away')},${service.folder.address('rpc')}`, identity });
  await Promise.allSettled([1, 2].map(() => client.unary(HashingService.hashPassword, request, info)));

  const replies = await Promise.all(Array.from({ length: 10 }, () => client.unary(HashingService.hashPassword, request, info)));

  assert.ok(replies.every((reply) => reply.hash === 'here'));
});

test('unary calls above the bound are refused as overloaded', async () => {
  const latch = new Latch();
  let entered = 0;
  await using service = await TestService.open(async () => {
    entered += 1;
    await latch.opened;
    return { hash: 'h' };
  });
  const taken = Array.from({ length: 4 }, () => service.client.unary(HashingService.hashPassword, request, info));
  await until(() => entered === 4, 'four calls are at the handler');

  const error = await failureOf(service.client.unary(HashingService.hashPassword, request, info));

  assert.equal(error.code, 'overloaded');
  latch.open();
  assert.equal((await Promise.all(taken)).length, 4);
});

test('a call with the wrong cluster key reaches no handler', async () => {
  let reached = 0;
  await using service = await TestService.open(() => ({ hash: String((reached += 1)) }));
  await using stranger = new RpcClient({ targets: service.folder.address('rpc'), identity: { clusterKey: 'another key' } });
  await using nobody = new RpcClient({ targets: service.folder.address('rpc'), identity: {} });

  const errors = await Promise.all([stranger, nobody].map((client) => failureOf(client.unary(HashingService.hashPassword, request, info))));

  assert.deepEqual(
    errors.map((error) => error.code),
    ['unavailable', 'unavailable'],
  );
  assert.equal(reached, 0);
});

test('closing lets the calls under way finish', async () => {
  const latch = new Latch();
  let entered = 0;
  await using service = await TestService.open(async () => {
    entered += 1;
    await latch.opened;
    return { hash: 'finished' };
  });
  const pending = service.client.unary(HashingService.hashPassword, request, info);
  await until(() => entered === 1, 'the call is at the handler');

  const closing = service.server.close();
  latch.open();

  assert.deepEqual(await pending, { hash: 'finished' });
  await closing;
});

class TestService implements AsyncDisposable {
  readonly folder = new SocketFolder();
  readonly log = new TestLog();
  readonly server: RpcServer;
  readonly client: RpcClient;

  private constructor(hashPassword: UnaryHandler<HashPasswordRequest, HashPasswordReply>) {
    this.server = serverAt(this.folder.address('rpc'), hashPassword, this.log);
    this.client = new RpcClient({ targets: this.folder.address('rpc'), identity });
  }

  static async open(hashPassword: UnaryHandler<HashPasswordRequest, HashPasswordReply>): Promise<TestService> {
    const service = new TestService(hashPassword);
    await service.server.listen();
    return service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
    this.folder[Symbol.dispose]();
  }
}

function serverAt(listen: string, hashPassword: UnaryHandler<HashPasswordRequest, HashPasswordReply>, log = new TestLog()): RpcServer {
  const server = new RpcServer({ listen, identity, log, unaryMax: 4, drainMs: 2000 });
  server.add(HashingService, { hashPassword, verifyPassword: () => ({ matches: false }) });
  return server;
}

async function failureOf(call: Promise<unknown>): Promise<SvcError> {
  const thrown: unknown = await call.then(
    () => new Error('the call did not fail'),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof SvcError, String(thrown));
  return thrown;
}

async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  let isTrying = false;
  await until(() => {
    if (result !== undefined || isTrying) return result !== undefined;
    isTrying = true;
    void work()
      .then((value) => (result = value))
      .catch(() => undefined)
      .finally(() => (isTrying = false));
    return false;
  }, 'a call succeeds');
  assert.ok(result !== undefined);
  return result;
}
