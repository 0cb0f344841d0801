import assert from 'node:assert/strict';

/** One place that breaks a law. */
export interface Finding {
  /** `file` or `file:line`, relative to the project. */
  readonly where: string;
  readonly what: string;
}

/** Fails with every finding on its own line, and with what to do about them. */
export function requireNone(findings: readonly Finding[], advice: string): void {
  if (findings.length === 0) return;
  const lines = findings.map(({ where, what }) => `  ${where}: ${what}`);
  assert.fail([advice, ...lines].join('\n'));
}

/** What was found, without where; for tests that plant something. */
export function whatOf(findings: readonly Finding[]): string[] {
  return findings.map(({ what }) => what);
}
