import type { Lifecycle } from '../proto/process/lifecycle.ts';
import { randomIds } from '../proto/values/ids.ts';
import { systemClock } from '../proto/values/time.ts';
import { Catalogue } from './collections/catalogue.ts';
import type { StoreConfig } from './config.ts';
import type { StoreMetrics } from './metrics.ts';
import { Database } from './postgres/database.ts';
import { LossLog } from './postgres/loss-log.ts';
import type { RecordDeps } from './records/deps.ts';
import { RowQueue } from './records/row-queue.ts';
import { Shapes } from './records/shape/shape.ts';
import { Credentials } from './principal/credentials.ts';

/** The whole store, as only `main` sees it. */
export interface StoreDeps extends RecordDeps {
  readonly credentials: Credentials;
}

/** Brings up the connections and what stands on them. */
export function makeDeps(config: StoreConfig, lifecycle: Lifecycle, metrics: StoreMetrics): StoreDeps {
  const losses = new LossLog(lifecycle.log, systemClock);
  const database = new Database(
    { url: config.databaseUrl, preparation: config.preparation, applicationName: 'svc store' },
    {
      onLost: (error) => {
        metrics.onLost();
        losses.tell(error);
      },
      onStatement: (label, outcome) => metrics.onStatement(label, outcome),
      onReadBatch: (size) => metrics.onReadBatch(size),
      onWriteBatch: (size) => metrics.onWriteBatch(size),
    },
  );
  return {
    database: lifecycle.use('database', database),
    catalogue: new Catalogue(database),
    shapes: new Shapes(),
    rowQueue: new RowQueue(),
    clock: systemClock,
    ids: randomIds,
    credentials: new Credentials(config.adminKey),
  };
}
