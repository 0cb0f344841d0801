import type { Lifecycle } from '../proto/process/lifecycle.ts';
import type { WorkersConfig } from './config.ts';
import { workerMetrics, type WorkerMetrics } from './metrics.ts';
import { HashThreads } from './threads/hash-threads.ts';

/** What the services of this role work with. */
export interface WorkersDeps {
  readonly threads: HashThreads;
  readonly metrics: WorkerMetrics;
}

/** Brings the threads up and has each prove that it can hash. */
export async function makeDeps(config: WorkersConfig, lifecycle: Lifecycle): Promise<WorkersDeps> {
  const threads = lifecycle.use('hash threads', new HashThreads({ threads: config.SVC_HASH_THREADS }));
  await threads.warmUp();
  return { threads, metrics: workerMetrics(lifecycle.metrics, threads) };
}
