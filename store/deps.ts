import type { Lifecycle } from '../proto/process/lifecycle.ts';
import { randomIds } from '../proto/values/ids.ts';
import { systemClock } from '../proto/values/time.ts';
import { RpcClient } from '../proto/rpc/client.ts';
import { Bearers } from './auth/bearers.ts';
import { SigningKeys } from './auth/keys/signing-keys.ts';
import { Tokens } from './auth/keys/tokens.ts';
import { HashingClient } from './clients/hashing.ts';
import { OAuthClient } from './clients/oauth.ts';
import { SearchIndexes } from './collections/search/search-indexes.ts';
import { Attempts } from './attempts/attempts.ts';
import { CodeDigest } from './auth/otp/otp-code.ts';
import { Proofs } from './proofs/proofs.ts';
import { Jobs } from './jobs/jobs.ts';
import { Mailer } from './mail/mailer.ts';
import { Catalogue } from './collections/catalogue.ts';
import type { StoreConfig } from './config.ts';
import { BodyDigest } from './idempotency/body-digest.ts';
import type { StoreMetrics } from './metrics.ts';
import { Database } from './postgres/database.ts';
import { LossLog } from './postgres/loss-log.ts';
import { Cursors } from './records/list/cursors.ts';
import type { RecordDeps } from './records/deps.ts';
import { RowQueue } from './records/row-queue.ts';
import { Shapes } from './records/shape/shape.ts';
import { Credentials } from './principal/credentials.ts';
import type { Seal } from './sealing/seal.ts';
import { Settings } from './settings/settings.ts';

/** The whole store, as only `main` sees it. */
export interface StoreDeps extends RecordDeps {
  readonly credentials: Credentials;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly settings: Settings;
  readonly attempts: Attempts;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly proofs: Proofs;
  readonly codes: CodeDigest;
  readonly oauth: OAuthClient;
  readonly seal: Seal;
}

/** What is known of the installation once its database can be asked. */
export interface Installation {
  readonly database: Database;
  readonly seal: Seal;
  readonly id: string;
}

/** Brings up the connections. */
export function makeDatabase(config: StoreConfig, lifecycle: Lifecycle, metrics: StoreMetrics): Database {
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
  return lifecycle.use('database', database);
}

/** What stands on the database, once it is open. */
export function makeDeps(config: StoreConfig, lifecycle: Lifecycle, { database, seal, id }: Installation): StoreDeps {
  const workers = lifecycle.use('workers client', new RpcClient({ targets: config.workers, identity: config.identity }));
  const settings = new Settings(database, seal, config.givenSettings);
  const jobs = new Jobs(database, seal, randomIds);
  const keys = new SigningKeys(database, seal, randomIds);
  const tokens = new Tokens(keys, systemClock, id);
  const shared = {
    database,
    catalogue: new Catalogue(database),
    shapes: new Shapes(),
    rowQueue: new RowQueue(),
    clock: systemClock,
    ids: randomIds,
    hashing: new HashingClient(workers, async () => (await settings.current()).values.auth.bcryptCost),
    searchIndexes: new SearchIndexes(database, lifecycle.log),
    cursors: new Cursors(seal.derive('cursors', 32)),
    digest: new BodyDigest(seal.derive('bodies', 32)),
    keys,
    tokens,
    settings,
    attempts: new Attempts(database),
    jobs,
    mailer: new Mailer(jobs, settings),
    proofs: new Proofs(randomIds),
    oauth: new OAuthClient(workers),
    seal,
    codes: new CodeDigest(seal.derive('codes', 32)),
  };
  return { ...shared, credentials: new Credentials(config.adminKey, new Bearers({ records: shared, tokens })) };
}
