import type { Measured, Pace } from '../measure/interleave.ts';
import type { ScenarioName } from '../scenarios/scenario.ts';

export interface ScenarioResult {
  readonly name: ScenarioName;
  readonly title: string;
  readonly measured: readonly Measured[];
}

/** Everything that a run found out, as baseline.json keeps it. */
export interface BenchRun {
  readonly date: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly loadBefore: number };
  readonly connections: string;
  readonly topology: string;
  readonly rows: number;
  readonly pace: Pace;
  readonly scenarios: readonly ScenarioResult[];
}

/** One contender's figures; undefined when its scenario was left out of the run. */
export function contender(run: BenchRun, scenario: ScenarioName, name: string): Measured | undefined {
  return run.scenarios.find((result) => result.name === scenario)?.measured.find((measured) => measured.name === name);
}
