import type { Metrics } from '../proto/process/metrics.ts';
import type { LaneServerStats } from '../proto/rpc/lane-server.ts';

/** What the store counts. */
export class StoreMetrics {
  readonly #statements = new Map<string, { inc(): void }>();
  readonly #calls = new Map<string, { inc(): void }>();
  readonly #statementsTotal;
  readonly #callsTotal;
  readonly #batchSize;
  readonly #lost;

  constructor(metrics: Metrics) {
    this.#statementsTotal = metrics.counter({
      name: 'store_statements_total',
      help: 'Statements sent to Postgres, by label and outcome.',
      labels: ['label', 'outcome'],
    });
    this.#callsTotal = metrics.counter({ name: 'store_calls_total', help: 'Calls taken from the lanes, by operation.', labels: ['operation'] });
    this.#lost = metrics.counter({ name: 'store_connections_lost_total', help: 'Connections to Postgres that broke.', labels: [] });
    const batchSize = metrics.histogram({
      name: 'store_batch_size',
      help: 'Reads or writes that one statement carried.',
      labels: ['kind'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    });
    this.#batchSize = { read: batchSize.labels({ kind: 'read' }), write: batchSize.labels({ kind: 'write' }) };
  }

  onCall(operation: string): void {
    let counter = this.#calls.get(operation);
    if (counter === undefined) {
      counter = this.#callsTotal.labels({ operation });
      this.#calls.set(operation, counter);
    }
    counter.inc();
  }

  onStatement(label: string, outcome: 'ok' | 'error'): void {
    const key = `${label} ${outcome}`;
    let counter = this.#statements.get(key);
    if (counter === undefined) {
      counter = this.#statementsTotal.labels({ label, outcome });
      this.#statements.set(key, counter);
    }
    counter.inc();
  }

  onReadBatch(size: number): void {
    this.#batchSize.read.observe(size);
  }

  onWriteBatch(size: number): void {
    this.#batchSize.write.observe(size);
  }

  onLost(): void {
    this.#lost.inc();
  }
}

/** Shows the plain numbers that a lane keeps. */
export function watchLane(metrics: Metrics, stats: () => LaneServerStats): void {
  const gauge = (name: string, help: string, collect: () => number) => metrics.gauge({ name: `store_lane_${name}`, help, labels: [], collect });
  gauge('streams', 'Gateways connected by a lane.', () => stats().lanes);
  gauge('reads_outstanding', 'Reads taken and not answered yet.', () => stats().outstanding.read);
  gauge('writes_outstanding', 'Writes taken and not answered yet.', () => stats().outstanding.write);
  gauge('slow_outstanding', 'Slow calls taken and not answered yet.', () => stats().outstanding.slow);
  gauge('refused', 'Calls refused since the start because a limit was reached.', () => stats().refused);
  gauge('timed_out', 'Calls given up at their deadline since the start.', () => stats().timedOut);
  gauge('queued_bytes', 'Bytes of answers that wait for gateways to take them.', () => stats().queuedBytes);
}
