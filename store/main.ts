import { runRole, type Lifecycle } from '../proto/process/lifecycle.ts';
import { RpcServer } from '../proto/rpc/server.ts';
import { readStoreConfig } from './config.ts';
import { randomIds } from '../proto/values/ids.ts';
import { ensureRootUser } from './auth/root/ensure-root-user.ts';
import { ensureSystemCollection } from './collections/system-collection.ts';
import { makeDatabase, makeDeps } from './deps.ts';
import { StoreMetrics, watchLane } from './metrics.ts';
import { Housekeeper } from './housekeeping/housekeeper.ts';
import { openWhenThere } from './postgres/open-when-there.ts';
import { rootUsers } from './principal/root-users.ts';
import { openInstallation } from './sealing/installation.ts';
import { Seal } from './sealing/seal.ts';
import { addAuth } from './services/auth.ts';
import { addCollections } from './services/collections.ts';
import { addJobs } from './services/jobs.ts';
import { addLimits } from './services/limits.ts';
import { addMail } from './services/mail.ts';
import { addRules } from './services/rules.ts';
import { addSettings } from './services/settings.ts';
import { addRecords } from './services/records.ts';

runRole('store', start);

/** Postgres first, then the schema, then the door: the first call finds everything there. */
async function start(lifecycle: Lifecycle): Promise<void> {
  const config = readStoreConfig();
  const metrics = new StoreMetrics(lifecycle.metrics);
  const database = makeDatabase(config, lifecycle, metrics);
  await openWhenThere(database, lifecycle);
  const seal = new Seal(config.encryptionKey, randomIds);
  const deps = makeDeps(config, lifecycle, { database, seal, id: await openInstallation(database, seal) });
  await ensureSystemCollection(deps, rootUsers);
  if (config.firstRootUser !== undefined) await ensureRootUser(deps, config.firstRootUser, lifecycle.log);
  const server = new RpcServer({ listen: config.listen, identity: config.identity, log: lifecycle.log });
  const onCall = (operation: string) => metrics.onCall(operation);
  const lane = addRecords(server, {
    records: deps,
    credentials: deps.credentials,
    log: lifecycle.log,
    isVerbose: lifecycle.log.isLevelEnabled('debug'),
    onCall,
  });
  addCollections(server, { collections: deps, credentials: deps.credentials, digest: deps.digest });
  addRules(server, { records: deps, credentials: deps.credentials });
  addAuth(server, { auth: { ...deps, records: deps }, credentials: deps.credentials });
  addMail(server, deps);
  addJobs(server, { ...deps, readied: (job) => deps.mailer.readied(job) });
  addSettings(server, deps);
  addLimits(server, deps);
  watchLane(lifecycle.metrics, () => lane.stats());
  const housekeeper = lifecycle.use('housekeeping', new Housekeeper(deps, lifecycle.log));
  housekeeper.start();
  lifecycle.use('rpc server', server);
  lifecycle.log.info({ address: await server.listen() }, 'listening');
}
