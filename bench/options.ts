import { parseArgs } from 'node:util';
import { BenchFailure } from './failure.ts';
import type { Pace } from './measure/interleave.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';

export interface BenchOptions {
  readonly chosen: readonly Scenario[];
  readonly rows: number;
  readonly pace: Pace;
  readonly profile: boolean;
  /** Whether the run is complete enough to become the published table. */
  readonly publish: boolean;
}

export const USAGE = `Usage: npm run bench -- [--quick] [--only get,create] [--profile] [--rows 100000]
  --quick     one repeat of one second: for a first look, never published
  --only      scenarios by name: ${scenarios.map((scenario) => scenario.name).join(', ')}; not published
  --profile   measures nothing: profiles gateway and store under the load of each chosen scenario (get, if none is named)
  --rows      records in the collection that is read; only 100000 is published`;

const FULL: Pace = { repeats: 5, seconds: 4, warmUpSeconds: 4 };
const QUICK: Pace = { repeats: 1, seconds: 1, warmUpSeconds: 1 };
const PUBLISHED_ROWS = 100_000;

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parse(args);
  const quick = values.quick === true;
  const profile = values.profile === true;
  const rows = Number(values.rows ?? PUBLISHED_ROWS);
  if (!Number.isInteger(rows) || rows < 1000 || rows > 5_000_000) throw new BenchFailure('--rows takes a whole number from 1000 to 5000000');
  return {
    chosen: choose(values.only ?? (profile ? 'get' : undefined)),
    rows,
    pace: quick ? QUICK : FULL,
    profile,
    publish: !quick && !profile && values.only === undefined && rows === PUBLISHED_ROWS,
  };
}

function parse(args: readonly string[]): { values: { quick?: boolean; profile?: boolean; only?: string; rows?: string } } {
  try {
    return parseArgs({
      args: [...args],
      options: { quick: { type: 'boolean' }, profile: { type: 'boolean' }, only: { type: 'string' }, rows: { type: 'string' } },
    });
  } catch (error) {
    throw new BenchFailure(`${(error as Error).message}\n${USAGE}`);
  }
}

function choose(names: string | undefined): readonly Scenario[] {
  if (names === undefined) return scenarios;
  return names.split(',').map((name) => {
    const found = scenarios.find((scenario) => scenario.name === name.trim());
    if (found === undefined) throw new BenchFailure(`no scenario is called ${JSON.stringify(name)}\n${USAGE}`);
    return found;
  });
}
