import { readdirSync, readFileSync } from 'node:fs';

export type Role = 'gateway' | 'store' | 'worker' | 'postgres' | 'supervisor';

export interface ClusterProcess {
  readonly pid: number;
  readonly role: Role;
}

/** Every process that descends from the supervisor, with its role, as /proc shows it now. */
export function clusterProcesses(supervisorPid: number): ClusterProcess[] {
  const children = childrenByParent();
  const found: ClusterProcess[] = [];
  const walk = (pid: number, inherited: Role): void => {
    const role = roleOf(pid) ?? inherited;
    found.push({ pid, role });
    for (const child of children.get(pid) ?? []) walk(child, role);
  };
  walk(supervisorPid, 'supervisor');
  return found;
}

/** A role's environment as its parent gave it: so that a second gateway can join, and pgbench reach the same Postgres. */
export function processEnvironment(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((entry) => entry.includes('='));
  return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}

/** Fields of /proc/<pid>/stat from the third (state) on; undefined when the process has gone. */
export function statFields(pid: number): string[] | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statFields(Number(name))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function roleOf(pid: number): Role | undefined {
  const command = readIfThere(`/proc/${pid}/cmdline`) ?? '';
  if (/gateway\/main\.js|svc\.js\0gateway/.test(command)) return 'gateway';
  if (command.includes('store/main.js')) return 'store';
  if (command.includes('workers/main.js')) return 'worker';
  return /^(\S*\/)?postgres[\0:]/.test(command) ? 'postgres' : undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it ended between being listed and being read
  }
}
