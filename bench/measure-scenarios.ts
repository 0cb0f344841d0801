import { cpus, loadavg } from 'node:os';
import { systemClock, wireTime } from '../proto/values/time.ts';
import type { Service } from './cluster/service.ts';
import { MAKE_CEILING, SERVER_VERSION } from './data/ceiling.sql.ts';
import { fill } from './data/fill.ts';
import { connectionKind } from './load/connection.ts';
import { psql } from './load/psql.ts';
import type { ToolVersions } from './load/require-tools.ts';
import { interleave, type Pace } from './measure/interleave.ts';
import type { BenchRun, ScenarioResult } from './report/bench-run.ts';
import type { Scenario, Stage } from './scenarios/scenario.ts';

export interface MeasureInput {
  readonly service: Service;
  readonly tools: ToolVersions;
  readonly chosen: readonly Scenario[];
  readonly rows: number;
  readonly pace: Pace;
  readonly progress: (line: string) => void;
}

/** Fills the service, measures every chosen scenario in it, and answers all that was found. */
export async function measureScenarios(input: MeasureInput): Promise<BenchRun> {
  const loadBefore = loadavg()[0] ?? 0;
  const stage = await setStage(input.service, input.rows, input.progress);
  const results: ScenarioResult[] = [];
  for (const scenario of input.chosen) {
    input.progress(scenario.title);
    results.push(await measureScenario(scenario, stage, input));
  }
  return {
    date: wireTime(systemClock.now()),
    versions: await versions(stage, input.tools),
    machine: { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: cpus().length, loadBefore },
    connections: connectionKind(stage.postgres),
    topology: topology(input.service),
    rows: input.rows,
    pace: input.pace,
    scenarios: results,
  };
}

/** Fills the service's collections and makes the ceiling's tables beside them. */
export async function setStage(service: Service, rows: number, progress: (line: string) => void): Promise<Stage> {
  progress(`filling ${rows.toLocaleString('en')} records through the service`);
  const stage: Stage = { service, postgres: service.postgres(), rows };
  await fill(service, rows);
  await psql(stage.postgres, MAKE_CEILING);
  return stage;
}

async function measureScenario(scenario: Scenario, stage: Stage, input: MeasureInput): Promise<ScenarioResult> {
  try {
    const contenders = await scenario.prepare(stage);
    const rootPids = (): readonly number[] => stage.service.rootPids();
    const measured = await interleave({ contenders, pace: input.pace, rootPids, progress: input.progress });
    await scenario.verify?.(stage);
    return { name: scenario.name, title: scenario.title, measured };
  } finally {
    await scenario.tidy?.(stage);
  }
}

async function versions(stage: Stage, tools: ToolVersions): Promise<Record<string, string>> {
  const [postgres] = await psql(stage.postgres, SERVER_VERSION);
  const number = (text: string): string => /\d+(\.\d+)+/.exec(text)?.[0] ?? text;
  return { Postgres: postgres ?? 'unknown', pgbench: number(tools.pgbench), wrk: number(tools.wrk), Node: process.versions.node };
}

function topology(service: Service): string {
  const count = (role: string): number => service.processes().filter((process) => process.role === role).length;
  return `${count('gateway')} gateway, ${count('store')} store, ${count('worker')} worker`;
}
