import { SvcError } from '../../proto/errors/svc-error.ts';
import { HashingService } from '../../proto/gen/svc/v1/hashing.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { WorkersDeps } from '../deps.ts';
import type { TaskName } from '../threads/hash-threads.ts';

/** `svc.v1.Hashing`: passwords are hashed and compared in threads of low priority. */
export function addHashing(server: RpcServer, deps: WorkersDeps): void {
  server.add(HashingService, {
    hashPassword: ({ password, cost }, { signal }) =>
      timed(deps, 'hash', async () => ({ hash: await deps.threads.hash({ password, cost: cost === 0 ? costDefault : cost }, signal) })),
    verifyPassword: ({ password, hash }, { signal }) =>
      timed(deps, 'verify', async () => ({ matches: await deps.threads.verify({ password, hash }, signal) })),
  });
}

/** For callers that leave the choice to us. */
const costDefault = 10;

async function timed<Reply>({ metrics }: WorkersDeps, task: TaskName, work: () => Promise<Reply>): Promise<Reply> {
  const startMs = performance.now();
  const observe = (outcome: string): void => metrics.seconds.labels({ task, outcome }).observe((performance.now() - startMs) / 1000);
  try {
    const reply = await work();
    observe('ok');
    return reply;
  } catch (error) {
    observe(error instanceof SvcError ? error.code : 'internal');
    throw error;
  }
}
