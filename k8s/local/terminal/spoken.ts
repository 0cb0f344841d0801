import path from 'node:path';
import type { ProcessExit } from '../roles/role-process.ts';
import type { RoleCounts } from '../roles/role-environment.ts';

/** How a process ended, to follow the word "ended". */
export function exitText({ code, signal }: ProcessExit): string {
  if (signal !== null) return ` by ${signal}`;
  return code === null ? '' : ` with status ${code}`;
}

/** Milliseconds as seconds with one digit. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** `/a/b/svc-data` as `./svc-data` where it lies below the working folder. */
export function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : `./${relative}`;
}

export function countsText(counts: RoleCounts): string {
  return (['gateway', 'store', 'worker'] as const).map((role) => `${counts[role]} ${role}${counts[role] === 1 ? '' : 's'}`).join(', ');
}
