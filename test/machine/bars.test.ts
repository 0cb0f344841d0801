import { ok } from 'node:assert';
import { after, before, describe, test } from 'node:test';
import { Service } from '../../bench/cluster/service.ts';
import { requireTools } from '../../bench/load/require-tools.ts';
import { measureScenarios } from '../../bench/measure-scenarios.ts';
import { bars } from '../../bench/report/bars.ts';
import type { BenchRun } from '../../bench/report/bench-run.ts';
import { scenarios } from '../../bench/scenarios/index.ts';

// Short runs on a machine that may be busy: this finds what has become much slower. Which bars are missed, and by how much, stands in bench/README.md.
const MARGIN = 0.5;
const PACE = { repeats: 2, seconds: 2, warmUpSeconds: 1 } as const;

describe('the whole service beside pgbench', () => {
  let service: Service | undefined;
  let run: BenchRun | undefined;

  before(async () => {
    const tools = requireTools();
    service = await Service.start();
    run = await measureScenarios({ service, tools, chosen: scenarios, rows: 100_000, pace: PACE, progress: () => undefined });
  });

  after(async () => {
    await service?.close();
  });

  for (const bar of bars) {
    const atLeast = (bar.atLeast ?? 0) * MARGIN;
    const atMost = (bar.atMost ?? Number.POSITIVE_INFINITY) / MARGIN;
    const wanted = bar.atLeast === undefined ? `at most ${atMost.toFixed(1)}` : `at least ${atLeast.toFixed(2)}`;

    test(`${bar.what}: ${wanted}`, () => {
      const value = run === undefined ? undefined : bar.measure(run);

      ok(value !== undefined && value >= atLeast && value <= atMost, `measured ${value?.toFixed(2) ?? 'nothing'}`);
    });
  }
});
