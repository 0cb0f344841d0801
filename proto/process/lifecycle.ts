import { AdminServer, type Readiness } from './admin-server.ts';
import { ConfigError, configExitCode } from './config-error.ts';
import { Impatience } from './impatience.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { readProcessConfig, urlHost, type ProcessConfig } from './process-config.ts';
import { RoleLifecycle, StartInterrupted } from './role-lifecycle.ts';
import { supervisorChannel, type SupervisorChannel } from './supervision.ts';

export type Lifecycle = RoleLifecycle;

/**
 * Runs this process as `role` until it is told to stop. `start` brings everything up in order, registering each thing with
 * `lifecycle.use`, and calls `markReady` (or returns) when it is done.
 *
 * Signals: SIGTERM and SIGINT drain, a second one later on ends at once. Under a supervisor its word counts instead of SIGINT (a terminal
 * sends that to the whole group at once, and the order of the drain is the supervisor's), and the end of its channel drains too.
 * Exit codes: 0 drained, 78 wrong configuration, 1 anything else.
 */
export function runRole(role: string, start: (lifecycle: Lifecycle) => void | Promise<void>): void {
  void guarded(async () => {
    const config = readProcessConfig();
    const log = createLog(role, config.logLevel);
    const metrics = createMetrics(role);
    const channel = supervisorChannel();
    const noteLevel = channel === undefined ? 'info' : 'debug';
    const lifecycle = new RoleLifecycle({ role, log, metrics, ...config, noteLevel, exit: (code) => process.exit(code) });
    crashLoudly(log);
    drainOnSignals(lifecycle, channel);
    if (channel !== undefined) serveSupervisor(lifecycle, channel);
    const admin = lifecycle.use('admin server', await startAdmin(config, lifecycle));
    await startOrStop(lifecycle, start);
    lifecycle.markReady({ adminPort: admin.port });
    announceReadiness(lifecycle, channel);
  });
}

/** Runs `task` to its end and exits: 0 done, 78 wrong configuration, 1 failed. */
export function runTask(name: string, task: (log: Log) => Promise<void>): void {
  void guarded(async () => {
    const log = createLog(name, readProcessConfig().logLevel);
    crashLoudly(log);
    supervisorChannel()?.onClosed(() => process.exit(1));
    await task(log);
    process.exit(0);
  });
}

/** What fails because the process was told to stop meanwhile is no failure. */
async function startOrStop(lifecycle: Lifecycle, start: (lifecycle: Lifecycle) => void | Promise<void>): Promise<void> {
  try {
    await start(lifecycle);
  } catch (error) {
    throw lifecycle.draining ? new StartInterrupted() : error;
  }
}

async function guarded(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof StartInterrupted) return;
    if (!(error instanceof ConfigError)) return crash(error);
    process.stderr.write(`${error.message}\n`);
    process.exit(configExitCode);
  }
}

/** A failed start ends like any uncaught error: through the handler of `crashLoudly` when there is one, else Node's own. */
function crash(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

function crashLoudly(log: Log): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'the process ends: an error that nothing caught');
    process.exit(1);
  });
}

function drainOnSignals(lifecycle: Lifecycle, channel: SupervisorChannel | undefined): void {
  const impatience = new Impatience();
  const end = (signal: NodeJS.Signals): void => {
    if (impatience.isShown()) process.exit(signal === 'SIGINT' ? 130 : 143);
    void lifecycle.drain(signal);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', channel === undefined ? end : ignore);
  process.on('SIGHUP', channel === undefined ? end : ignore);
}

function ignore(): void {}

function serveSupervisor(lifecycle: Lifecycle, channel: SupervisorChannel): void {
  channel.onClosed(() => void lifecycle.drain('the supervisor is gone'));
  channel.onMessage((message) => {
    if (message.kind === 'drain') return void lifecycle.drain('the supervisor asked');
    void lifecycle.metrics.json().then((metrics) => channel.send({ kind: 'metrics', id: message.id, metrics }));
  });
}

async function startAdmin(config: ProcessConfig, lifecycle: Lifecycle): Promise<AdminServer> {
  const sources = { readiness: () => lifecycle.currentReadiness(), metrics: () => lifecycle.metrics.text() };
  try {
    return await AdminServer.start(config.admin, sources);
  } catch (error) {
    const where = 'path' in config.admin ? config.admin.path : `${urlHost(config.admin.host)}:${config.admin.port}`;
    throw new ConfigError([`SVC_METRICS_PORT: cannot listen on ${where} (${(error as NodeJS.ErrnoException).code ?? String(error)})`]);
  }
}

const startingCheckMs = 20;
const steadyCheckMs = 500;

/** Tells the supervisor (or the log) when the process is first ready, and the supervisor of every change afterwards. */
function announceReadiness(lifecycle: Lifecycle, channel: SupervisorChannel | undefined): void {
  let told: Readiness | undefined;
  const look = (): void => {
    if (lifecycle.draining) return;
    const now = lifecycle.currentReadiness();
    if (told === undefined && now.ready) {
      lifecycle.log[lifecycle.noteLevel](lifecycle.info, 'ready');
      channel?.send({ kind: 'ready', ...lifecycle.info });
      told = now;
    } else if (told !== undefined && told.reasons.join() !== now.reasons.join()) {
      if (!now.ready) lifecycle.log.warn({ reasons: now.reasons }, 'not ready');
      channel?.send({ kind: 'readiness', ...now });
      told = now;
    }
    setTimeout(look, told === undefined ? startingCheckMs : steadyCheckMs).unref();
  };
  look();
}
