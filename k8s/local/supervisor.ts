import type { Readiness } from '../../proto/process/admin-server.ts';
import { configExitCode } from '../../proto/process/config-error.ts';
import type { MetricsJson } from '../../proto/process/metrics.ts';
import type { RoleLifecycle } from '../../proto/process/role-lifecycle.ts';
import type { ChildrenFile } from './processes/leftover-children.ts';
import { onLines } from './terminal/lines.ts';
import { migrateDatabase } from './migrate-database.ts';
import type { KeptPostgres } from './postgres/kept-postgres.ts';
import type { Reporter } from './terminal/report.ts';
import { programs } from './roles/programs.ts';
import { migrateEnvironment, roleEnvironment, type RoleName, type Topology } from './roles/role-environment.ts';
import { RoleProcess, type ProcessExit } from './roles/role-process.ts';
import { RoleTeam } from './roles/role-team.ts';
import type { SupervisedRole } from './roles/supervised-role.ts';
import { countsText, exitText, seconds } from './terminal/spoken.ts';

export interface SupervisorDeps {
  readonly lifecycle: RoleLifecycle;
  readonly reporter: Reporter;
  readonly children: ChildrenFile;
  /** Absent when the database is somebody else's. */
  readonly postgres: KeptPostgres | undefined;
  readonly topology: Topology;
  /** How long one role may take to drain. */
  readonly drainTimeoutMs: number;
}

/**
 * Brings a whole cluster up on this machine and keeps it up: Postgres, migrations, stores, workers, gateways; down in the reverse
 * order, so that nobody is left to be served by something that has ended.
 */
export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #team: RoleTeam;
  readonly #migrating = new AbortController();

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#team = new RoleTeam({
      counts: deps.topology.counts,
      launch: (place) => this.#launch(place),
      events: {
        onRestart: (role, { pid, exit, waitMs }) =>
          deps.reporter.warn(`${role.name} (process ${pid}) ended${exitText(exit)}; starting it again in ${waitMs} ms`),
        onBack: (role, afterMs) => deps.reporter.done(`${role.name} is back after ${seconds(afterMs)} (process ${role.process?.pid ?? 0})`),
        onHopeless: (role, exit) => this.#giveUp(role, exit),
      },
      // The role itself gives up at its own limit; this one is for a role that cannot even do that.
      stopTimeoutMs: deps.drainTimeoutMs + 1_000,
    });
  }

  /** Where the gateways answer. */
  get port(): number {
    return this.#deps.topology.port;
  }

  get adminKey(): string {
    return this.#deps.topology.adminKey;
  }

  /** Where the embedded database lies when not in the data folder. */
  get movedTo(): string | undefined {
    return this.#deps.postgres?.movedTo;
  }

  /** Starts everything in order; resolves when all is ready. */
  async start(): Promise<void> {
    const { lifecycle, postgres, reporter } = this.#deps;
    if (postgres !== undefined) {
      lifecycle.use('postgres', postgres);
      await postgres.start();
    }
    lifecycle.onDrain('migration', () => this.#migrating.abort());
    lifecycle.use('stores and workers', { close: () => this.#team.stop(['store', 'worker']) });
    lifecycle.use('gateways', { close: () => this.#team.stop(['gateway']) });
    await this.#migrate();
    if (lifecycle.draining) return;
    reporter.begin('starting the roles');
    const reminder = setInterval(() => this.#remind(), reminderMs);
    await this.#team.start(['store', 'worker', 'gateway']);
    clearInterval(reminder);
    reporter.done(countsText(this.#deps.topology.counts));
  }

  readiness(): Readiness {
    const { postgres } = this.#deps;
    const { reasons } = this.#team.readiness();
    const all = postgres === undefined || postgres.isUp ? reasons : ['postgres: away', ...reasons];
    return { ready: all.length === 0, reasons: all };
  }

  /** The metrics of all roles. */
  metrics(): Promise<MetricsJson[]> {
    return this.#team.metrics(metricsTimeoutMs);
  }

  get members(): readonly SupervisedRole[] {
    return this.#team.members;
  }

  /** Ends everything at once; what that leaves undone the next start puts right. */
  kill(): void {
    this.#team.kill();
    this.#deps.postgres?.kill();
  }

  /** A start that hangs says on whom. */
  #remind(): void {
    if (!this.#deps.lifecycle.draining) this.#deps.reporter.note(`still waiting for ${this.#team.readiness().reasons.join('; ')}`);
  }

  async #migrate(): Promise<void> {
    const { postgres, reporter, topology } = this.#deps;
    if (postgres?.migrations.isCurrent() === true) return;
    reporter.begin('bringing the database up to date');
    postgres?.migrations.clear();
    await migrateDatabase({
      launch: () => this.#fork({ program: programs.migrate, environment: migrateEnvironment(topology), output: 'pipe' }),
      onRetry: (reason) => reporter.warn(`the database cannot be migrated yet (${reason}); trying again`),
      signal: this.#migrating.signal,
    });
    if (this.#migrating.signal.aborted) return;
    postgres?.migrations.set();
    reporter.done('the database is up to date');
  }

  #launch(place: { readonly role: RoleName; readonly index: number }): RoleProcess {
    const { reporter, topology } = this.#deps;
    const { childLine } = reporter;
    const output = childLine === undefined ? 'inherit' : 'pipe';
    const launched = this.#fork({ program: programs[place.role], environment: roleEnvironment(topology, place), output });
    if (childLine !== undefined) for (const stream of launched.streams) onLines(stream, childLine);
    return launched;
  }

  #fork(input: ConstructorParameters<typeof RoleProcess>[0]): RoleProcess {
    const launched = new RoleProcess(input);
    if (launched.pid !== 0) this.#deps.children.add(launched.pid);
    return launched;
  }

  #giveUp(role: SupervisedRole, exit: ProcessExit): void {
    if (this.#deps.lifecycle.draining) return;
    this.#deps.reporter.error(`${role.name} does not start${exitText(exit)}; what it said stands above`);
    void this.#deps.lifecycle.drain(`${role.name} does not start`, exit.code === configExitCode ? configExitCode : 1);
  }
}

const metricsTimeoutMs = 2_000;
const reminderMs = 10_000;
