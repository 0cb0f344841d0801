import type { HistogramFamily, Metrics } from '../proto/process/metrics.ts';
import type { HashThreads } from './threads/hash-threads.ts';

/** What this role counts. */
export interface WorkerMetrics {
  /** Seconds from request to reply, waiting included. */
  readonly seconds: HistogramFamily<'task' | 'outcome'>;
}

export function workerMetrics(metrics: Metrics, threads: HashThreads): WorkerMetrics {
  metrics.gauge({ name: 'hash_queue_length', help: 'Passwords that wait for a thread.', labels: [], collect: () => threads.waiting });
  metrics.gauge({ name: 'hash_threads_busy', help: 'Threads that are hashing now.', labels: [], collect: () => threads.running });
  return {
    seconds: metrics.histogram({
      name: 'hash_seconds',
      help: 'Seconds from a request to hash or verify a password to its reply, waiting included.',
      labels: ['task', 'outcome'],
    }),
  };
}
