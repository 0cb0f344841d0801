import { AdminServer } from '../../proto/process/admin-server.ts';
import { createLog } from '../../proto/process/log.ts';
import { aggregate, createMetrics } from '../../proto/process/metrics.ts';
import { urlHost } from '../../proto/process/process-config.ts';
import { RoleLifecycle, StartInterrupted } from '../../proto/process/role-lifecycle.ts';
import { openDataFolder, openRuntimeFolder, type DataFolder } from './data-folder.ts';
import { Ending } from './ending.ts';
import { KeptPostgres } from './postgres/kept-postgres.ts';
import { ChildrenFile } from './processes/leftover-children.ts';
import { freePort } from './port-probe.ts';
import { reporterFor } from './reporter.ts';
import type { Topology } from './roles/role-environment.ts';
import { keptSecret } from './secrets.ts';
import type { Reporter } from './terminal/report.ts';
import { seconds, shortPath } from './terminal/spoken.ts';
import { setupLink } from './setup-link.ts';
import { Supervisor } from './supervisor.ts';
import { SupervisorLock } from './processes/supervisor-lock.ts';
import { watchTeam } from './team-metrics.ts';
import { readUpConfig, type UpConfig } from './up-config.ts';
import { serviceVersion } from './version.ts';

/** `svc up`: a whole cluster on this machine, in the foreground, until a signal (or the end of the one who forked it) drains it. */
export async function up(): Promise<void> {
  const config = readUpConfig();
  const log = createLog('supervisor', config.SVC_LOG_LEVEL);
  const reporter = reporterFor(config.SVC_ENV, log);
  const lifecycle = new RoleLifecycle({
    role: 'supervisor',
    log,
    metrics: createMetrics('supervisor'),
    // Gateways, then stores and workers, then Postgres, each with its own limit: this one only keeps the sum finite.
    drainTimeoutMs: 2 * config.SVC_DRAIN_TIMEOUT + 60_000,
    drainDelayMs: 0,
    noteLevel: 'debug',
    exit: (code) => process.exit(code),
  });
  const ending = new Ending(lifecycle, reporter);
  try {
    await bringUp({ config, reporter, lifecycle, ending, data: openDataFolder(config.SVC_DATA_DIR) });
  } catch (error) {
    if (!(error instanceof StartInterrupted)) ending.failStart(error);
  }
}

/** What the steps of the start share. */
interface Start {
  readonly config: UpConfig;
  readonly reporter: Reporter;
  readonly lifecycle: RoleLifecycle;
  readonly ending: Ending;
  readonly data: DataFolder;
}

async function bringUp(start: Start): Promise<void> {
  const { lifecycle, reporter, ending } = start;
  reporter.note(`svc ${serviceVersion()}`);
  const supervisor = await makeSupervisor(start);
  ending.onForce(() => supervisor.kill());
  const adminPort = await serveAdmin(start, supervisor);
  await supervisor.start();
  if (lifecycle.draining) return;
  lifecycle.markReady({ port: supervisor.port, adminPort });
  await tellPlaces(start, supervisor);
  ending.tellReady();
}

/** Everything that must hold before the first process is started. */
async function makeSupervisor(start: Start): Promise<Supervisor> {
  const { config, reporter, lifecycle, data } = start;
  lifecycle.use('lock', await SupervisorLock.take(data.path));
  const children = lifecycle.use('children file', new ChildrenFile(data.path));
  const stopped = await children.stopLeftovers();
  if (stopped > 0) reporter.note(`stopped ${stopped} processes that an earlier start left behind`);
  const port = await freePort({ variable: 'SVC_PORT', host: config.SVC_HOST, port: config.SVC_PORT });
  const runtime = lifecycle.use('runtime folder', openRuntimeFolder(data));
  const postgres = config.DATABASE_URL === undefined ? await KeptPostgres.open({ data, runtimeFolder: runtime.path }, reporter) : undefined;
  if (postgres !== undefined) tellPostgres(start, postgres);
  const databaseUrl = config.DATABASE_URL ?? postgres?.url ?? '';
  const topology: Topology = {
    counts: { gateway: config.SVC_GATEWAYS, store: config.SVC_STORES, worker: config.SVC_WORKERS },
    socketFolder: runtime.rpc,
    host: config.SVC_HOST,
    port,
    databaseUrl,
    databaseDirectUrl: config.DATABASE_DIRECT_URL ?? databaseUrl,
    adminKey: config.SVC_ADMIN_KEY ?? keptSecret(data.secrets, adminKeyFile),
    encryptionKey: config.SVC_ENCRYPTION_KEY ?? keptSecret(data.secrets, 'encryption-key'),
    clusterKey: config.SVC_CLUSTER_KEY ?? keptSecret(data.secrets, 'cluster-key'),
  };
  return new Supervisor({ lifecycle, reporter, children, postgres, topology, drainTimeoutMs: config.SVC_DRAIN_TIMEOUT });
}

const adminKeyFile = 'admin-key';

function tellPostgres({ config, reporter }: Start, { movedTo }: KeptPostgres): void {
  if (config.SVC_ENV === 'production')
    reporter.warn('DATABASE_URL is missing: the embedded Postgres is meant for development, and gets no security fixes');
  if (movedTo !== undefined) reporter.note(`the data lies in ${movedTo}: Postgres does not run as root, and its user cannot reach the data folder`);
}

/** The supervisor answers for all: ready when every process is, and everybody's metrics in one text. */
async function serveAdmin({ config, lifecycle }: Start, supervisor: Supervisor): Promise<number> {
  const { SVC_HOST: host, SVC_METRICS_PORT: wanted } = config;
  const port = await freePort({ variable: 'SVC_METRICS_PORT', host, port: wanted });
  lifecycle.readiness('cluster', () => supervisor.readiness().ready);
  const note = watchTeam(lifecycle.metrics, () => supervisor.members);
  const sources = {
    readiness: () => (lifecycle.currentReadiness().reasons.includes('cluster') ? supervisor.readiness() : lifecycle.currentReadiness()),
    metrics: async () => {
      note();
      return aggregate([await lifecycle.metrics.json(), ...(await supervisor.metrics())]);
    },
  };
  return lifecycle.use('admin server', await AdminServer.start({ host, port }, sources)).port;
}

async function tellPlaces({ config, reporter, data, lifecycle }: Start, supervisor: Supervisor): Promise<void> {
  const host = urlHost(anyHosts[config.SVC_HOST] ?? config.SVC_HOST);
  const base = config.SVC_PUBLIC_URL ?? `http://${host}:${supervisor.port}`;
  const link = await setupLink(`http://${host}:${supervisor.port}`, supervisor.adminKey);
  reporter.ready({
    seconds: seconds(performance.now()),
    places: [
      ['API', base],
      ['Documentation', `${base}/docs`],
      ['Admin key', config.SVC_ADMIN_KEY === undefined ? `in ${shortPath(`${data.secrets}/${adminKeyFile}`)}` : 'from SVC_ADMIN_KEY'],
      ...(link === undefined ? [] : [['First root user', link] as const]),
      ['Data', supervisor.movedTo ?? (config.DATABASE_URL === undefined ? shortPath(data.path) : 'in the database of DATABASE_URL')],
      ['Metrics', `http://${host}:${lifecycle.info.adminPort ?? 0}/metrics`],
    ],
  });
}

/** The address to tell for a server that listens on every one. */
const anyHosts: Readonly<Record<string, string>> = { '0.0.0.0': 'localhost', '::': 'localhost' };
