import { median } from '../measure/statistics.ts';
import { WITHOUT_TOTALS } from '../scenarios/list.ts';
import { NO_RULE, PAGE_1, PAGE_3000 } from '../scenarios/narrowed.ts';
import { ONE_GATEWAY, TWO_GATEWAYS } from '../scenarios/scale-out.ts';
import { PGBENCH, SERVICE, type ScenarioName } from '../scenarios/scenario.ts';
import { contender, type BenchRun } from './bench-run.ts';

/** What must hold; `atLeast` for ratios of rates, `atMost` for times. */
export interface Bar {
  readonly id: string;
  readonly what: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly unit?: 'ms';
  /** Undefined when the run left its scenario out. */
  measure(run: BenchRun): number | undefined;
}

export const bars: readonly Bar[] = [
  { id: 'get', what: 'GET one record / pgbench', atLeast: 0.95, measure: (run) => ratio(run, 'get', SERVICE, PGBENCH) },
  { id: 'create', what: 'POST with its event / pgbench', atLeast: 1.3, measure: (run) => ratio(run, 'create', SERVICE, PGBENCH) },
  { id: 'list-sorted', what: 'LIST 30 by an indexed field / pgbench', atLeast: 1.2, measure: (run) => ratio(run, 'list-sorted', SERVICE, PGBENCH) },
  {
    id: 'list-sorted-none',
    what: 'the same with `total=none` / pgbench',
    atLeast: 1.2,
    measure: (run) => ratio(run, 'list-sorted', WITHOUT_TOTALS, PGBENCH),
  },
  { id: 'list', what: 'LIST 30 newest first / pgbench', atLeast: 1.2, measure: (run) => ratio(run, 'list', SERVICE, PGBENCH) },
  {
    id: 'totals',
    what: 'LIST: time with default totals / with `total=none`',
    atMost: 1.3,
    measure: (run) => ratio(run, 'list', WITHOUT_TOTALS, SERVICE),
  },
  {
    id: 'filtered',
    what: 'LIST with a filter on an indexed field: time with default totals / with `total=none`',
    atMost: 1.3,
    measure: (run) => ratio(run, 'filtered', WITHOUT_TOTALS, SERVICE),
  },
  { id: 'walk', what: 'LIST by cursor: time of page 3,000 / of page 1', atMost: 1.5, measure: (run) => ratio(run, 'walk', PAGE_1, PAGE_3000) },
  {
    id: 'owned',
    what: 'LIST by a user: time with an owner rule / without a rule',
    atMost: 1.3,
    measure: (run) => ratio(run, 'owned', NO_RULE, SERVICE),
  },
  {
    id: 'owned-get',
    what: 'GET one record with a user token and an owner rule / pgbench',
    atLeast: 0.6,
    measure: (run) => ratio(run, 'owned-get', SERVICE, PGBENCH),
  },
  { id: 'get-p50', what: 'GET p50, 64 connections', atMost: 3, unit: 'ms', measure: (run) => latency(run, 'p50Ms') },
  { id: 'get-p99', what: 'GET p99, 64 connections', atMost: 15, unit: 'ms', measure: (run) => latency(run, 'p99Ms') },
  {
    id: 'scale-out',
    what: 'GET, 256 connections: two gateways and one store / one and one',
    atLeast: 0.95,
    measure: (run) => ratio(run, 'scale-out', TWO_GATEWAYS, ONE_GATEWAY),
  },
];

/** Whether a measured value meets its bar. */
export function reached(bar: Bar, value: number): boolean {
  return value >= (bar.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (bar.atMost ?? Number.POSITIVE_INFINITY);
}

function ratio(run: BenchRun, scenario: ScenarioName, above: string, below: string): number | undefined {
  const [top, bottom] = [contender(run, scenario, above), contender(run, scenario, below)];
  return top === undefined || bottom === undefined ? undefined : median(top.rates) / median(bottom.rates);
}

function latency(run: BenchRun, which: 'p50Ms' | 'p99Ms'): number | undefined {
  const values = contender(run, 'get', SERVICE)?.[which] ?? [];
  return values.length === 0 ? undefined : median(values);
}
