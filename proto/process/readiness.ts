import type { Readiness } from './admin-server.ts';

export type ReadinessChecks = Map<string, () => boolean>;

/** Ready when every check holds; else the names of those that do not. A check that throws does not hold. */
export function readinessOf(checks: ReadinessChecks): Readiness {
  const reasons = [...checks].filter(([, check]) => !holds(check)).map(([name]) => name);
  return { ready: reasons.length === 0, reasons };
}

function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
