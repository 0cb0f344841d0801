import { spawnSync } from 'node:child_process';
import { BenchFailure } from '../failure.ts';

const COMES_WITH = {
  pgbench: 'it comes with PostgreSQL (Debian: postgresql)',
  psql: 'it comes with PostgreSQL (Debian: postgresql-client)',
  wrk: 'an HTTP load generator (Debian: wrk)',
} as const;

export type ToolName = keyof typeof COMES_WITH;
export type ToolVersions = Readonly<Record<ToolName, string>>;

/** The versions of the tools that the measurements need; fails naming every one that is missing. */
export function requireTools(): ToolVersions {
  const found = { pgbench: version('pgbench'), psql: version('psql'), wrk: version('wrk') };
  const missing = (Object.keys(COMES_WITH) as ToolName[]).filter((tool) => found[tool] === undefined);
  if (missing.length > 0) {
    throw new BenchFailure(missing.map((tool) => `${tool} is missing: ${COMES_WITH[tool]}`).join('\n'));
  }
  return { pgbench: found.pgbench ?? '', psql: found.psql ?? '', wrk: found.wrk ?? '' };
}

function version(tool: ToolName): string | undefined {
  const asked = spawnSync(tool, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (asked.error !== undefined) return undefined;
  return `${asked.stdout}${asked.stderr}`.split('\n')[0]?.trim() ?? '';
}
