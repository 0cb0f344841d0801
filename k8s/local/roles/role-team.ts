import type { Readiness } from '../../../proto/process/admin-server.ts';
import type { MetricsJson } from '../../../proto/process/metrics.ts';
import { labelled } from '../../../proto/process/metrics.ts';
import type { RoleCounts, RoleName } from './role-environment.ts';
import type { RoleProcess } from './role-process.ts';
import { SupervisedRole, type SupervisedRoleEvents } from './supervised-role.ts';

export interface RoleTeamInput {
  readonly counts: RoleCounts;
  readonly launch: (place: { readonly role: RoleName; readonly index: number }) => RoleProcess;
  readonly events: SupervisedRoleEvents;
  readonly stopTimeoutMs: number;
}

/** All supervised processes of a cluster. */
export class RoleTeam {
  readonly #input: RoleTeamInput;
  readonly #members: SupervisedRole[] = [];

  constructor(input: RoleTeamInput) {
    this.#input = input;
  }

  get members(): readonly SupervisedRole[] {
    return this.#members;
  }

  /** Starts the processes of `roles`; resolves when all of them have been ready. */
  async start(roles: readonly RoleName[]): Promise<void> {
    const started = roles.flatMap((role) => Array.from({ length: this.#input.counts[role] }, (_, index) => this.#member(role, index)));
    this.#members.push(...started);
    started.forEach((member) => member.start());
    await Promise.all(started.map((member) => member.firstReady));
  }

  /** Drains the processes of `roles`, and ends by force those that take too long. */
  async stop(roles: readonly RoleName[]): Promise<void> {
    await Promise.all(this.#members.filter(({ role }) => roles.includes(role)).map((member) => member.stop(this.#input.stopTimeoutMs)));
  }

  /** Ends every process now. */
  kill(): void {
    for (const member of this.#members) member.process?.kill('SIGKILL');
  }

  readiness(): Readiness {
    const reasons = this.#members.flatMap(({ name, process }) =>
      process?.readiness.ready === true ? [] : [`${name}: ${process?.readiness.reasons.join(', ') ?? 'ended'}`],
    );
    return { ready: reasons.length === 0, reasons };
  }

  /** The metrics of those that answer in time, each value with its role and number. */
  async metrics(timeoutMs: number): Promise<MetricsJson[]> {
    const answers = this.#members.map(async ({ role, index, process }) => {
      const metrics = process?.readiness.ready === true ? await process.metrics(timeoutMs) : undefined;
      return metrics === undefined ? [] : [labelled(metrics, { role, index: String(index) })];
    });
    return (await Promise.all(answers)).flat();
  }

  #member(role: RoleName, index: number): SupervisedRole {
    return new SupervisedRole({ role, index, launch: () => this.#input.launch({ role, index }), events: this.#input.events });
  }
}
