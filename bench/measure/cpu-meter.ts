import { readFileSync } from 'node:fs';
import { clusterProcesses, statFields, type Role } from '../cluster/processes.ts';

/** CPU used so far, in microseconds: by each role, and by the whole machine. */
export interface CpuReading {
  readonly roles: Readonly<Record<Role, number>>;
  readonly machine: number;
}

// The kernel counts in hundredths of a second on every Linux that Node runs on (sysconf _SC_CLK_TCK).
const TICK_US = 10_000;

/** Reads what the processes below these roots have used since they started. */
export function readCpu(rootPids: readonly number[]): CpuReading {
  const roles: Record<Role, number> = { gateway: 0, store: 0, worker: 0, postgres: 0, supervisor: 0 };
  for (const root of rootPids) {
    for (const { pid, role } of clusterProcesses(root)) roles[role] += processUs(pid, role);
  }
  return { roles, machine: machineUs() };
}

/** What was used between two readings. */
export function cpuBetween(before: CpuReading, after: CpuReading): CpuReading {
  const difference = (role: Role): number => after.roles[role] - before.roles[role];
  return {
    roles: {
      gateway: difference('gateway'),
      store: difference('store'),
      worker: difference('worker'),
      postgres: difference('postgres'),
      supervisor: difference('supervisor'),
    },
    machine: after.machine - before.machine,
  };
}

function processUs(pid: number, role: Role): number {
  const fields = statFields(pid);
  if (fields === undefined) return 0;
  const ticks = Number(fields[11]) + Number(fields[12]);
  // pgbench's backends have ended when the run is read: the postmaster carries the time of the children it has buried.
  const buried = role === 'postgres' ? Number(fields[13]) + Number(fields[14]) : 0;
  return (ticks + buried) * TICK_US;
}

function machineUs(): number {
  const fields = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) * TICK_US;
}
