import type { Measured } from '../measure/interleave.ts';
import { median } from '../measure/statistics.ts';
import { bars, reached } from './bars.ts';
import { PGBENCH } from '../scenarios/scenario.ts';
import type { BenchRun, ScenarioResult } from './bench-run.ts';
import { markdownTable } from './markdown.ts';

/** The whole report of a run, as Markdown. */
export function report(run: BenchRun): string {
  return [
    setting(run),
    '**Bars**',
    barsTable(run),
    '**Rates**, per second: median of the repeats, and their range. The ratio is to pgbench in the same scenario, or to its first line where pgbench has no part.',
    ratesTable(run),
    '**CPU per request**, in µs, by process, over all repeats; *others* is what anything else on the machine used meanwhile. The ratio is CPU of pgbench and its Postgres / CPU of the whole path; *busy* is the share of all cores.',
    cpuTable(run),
    '**What was run**',
    commands(run),
  ].join('\n\n');
}

/** Above this share of other programs a run says that it was disturbed. */
const DISTURBED = 0.1;

function setting(run: BenchRun): string {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  return (
    `${run.date.slice(0, 10)} · ${run.machine.cores} cores (${run.machine.cpu}), load ${run.machine.loadBefore.toFixed(1)} before the run · ${versions.join(' · ')}\n` +
    `${run.rows.toLocaleString('en')} records · ${run.topology} · Postgres by ${run.connections} for both sides · ` +
    `${run.pace.repeats} repeats of ${run.pace.seconds} s, interleaved, after ${run.pace.warmUpSeconds} s of warm-up each` +
    (disturbance(run) > DISTURBED
      ? `\n\n**Disturbed**: other programs took up to ${(disturbance(run) * 100).toFixed(0)} % of the busy time of a side; trust the CPU ratios more than the rates.`
      : '')
  );
}

function barsTable(run: BenchRun): string {
  const rows = bars.flatMap((bar) => {
    const value = bar.measure(run);
    if (value === undefined) return [];
    const unit = bar.unit === undefined ? '' : ` ${bar.unit}`;
    const wanted = bar.atLeast === undefined ? `≤ ${bar.atMost ?? ''}${unit}` : `≥ ${bar.atLeast}${unit}`;
    return [[bar.what, wanted, `${value.toFixed(2)}${unit}`, reached(bar, value) ? 'yes' : 'no']];
  });
  return markdownTable(['what', 'bar', 'measured', 'reached'], rows);
}

function ratesTable(run: BenchRun): string {
  const rows = run.scenarios.flatMap((scenario) => scenario.measured.map((measured, index) => rateRow(scenario, measured, index)));
  return markdownTable(['scenario', 'side', 'rate', 'range', 'ratio', 'p50 ms', 'p99 ms'], rows);
}

function rateRow(scenario: ScenarioResult, measured: Measured, index: number): string[] {
  const reference = referenceOf(scenario);
  const ratio = reference === measured ? '' : (median(measured.rates) / median(reference.rates)).toFixed(2);
  const range = `${whole(Math.min(...measured.rates))}–${whole(Math.max(...measured.rates))}`;
  const time = (values: readonly number[]): string => (values.length === 0 ? '' : median(values).toFixed(1));
  return [index === 0 ? scenario.title : '', measured.name, whole(median(measured.rates)), range, ratio, time(measured.p50Ms), time(measured.p99Ms)];
}

function cpuTable(run: BenchRun): string {
  const rows = run.scenarios.flatMap((scenario) => scenario.measured.map((measured, index) => cpuRow(scenario, measured, index, run.machine.cores)));
  return markdownTable(['scenario', 'side', 'gateway', 'store', 'postgres', 'worker, supervisor', 'driver', 'others', 'sum', 'ratio', 'busy'], rows);
}

function cpuRow(scenario: ScenarioResult, measured: Measured, index: number, cores: number): string[] {
  const used = measured.cpuUs;
  const sum = ownCpuUs(measured);
  const reference = referenceOf(scenario);
  const cell = (us: number): string => {
    const share = sum === 0 ? 0 : (us / sum) * 100;
    return share < 0.5 ? '–' : `${(us / measured.operations).toFixed(1)} (${share.toFixed(0)} %)`;
  };
  const perRequest = (us: number): string => (us / measured.operations).toFixed(1);
  return [
    index === 0 ? scenario.title : '',
    measured.name,
    cell(used.gateway),
    cell(used.store),
    cell(used.postgres),
    cell(used.worker + used.supervisor),
    cell(used.driver),
    perRequest(used.others),
    perRequest(sum),
    reference === measured ? '' : (ownCpuUs(reference) / reference.operations / (sum / measured.operations)).toFixed(2),
    `${(((sum + used.others) / (measured.elapsedUs * cores)) * 100).toFixed(0)} %`,
  ];
}

/** What the others of a scenario are compared with: pgbench, or the first where pgbench has no part. */
function referenceOf(scenario: ScenarioResult): Measured {
  const found = scenario.measured.find((measured) => measured.name === PGBENCH) ?? scenario.measured[0];
  if (found === undefined) throw new TypeError(`${scenario.name} measured nothing`);
  return found;
}

function ownCpuUs(measured: Measured): number {
  return Object.values(measured.cpuUs).reduce((sum, us) => sum + us, 0) - measured.cpuUs.others;
}

/** The largest share of the busy time of any side that belonged to other programs. */
function disturbance(run: BenchRun): number {
  const shares = run.scenarios.flatMap((scenario) =>
    scenario.measured.map((measured) => measured.cpuUs.others / (ownCpuUs(measured) + measured.cpuUs.others)),
  );
  return Math.max(0, ...shares);
}

function commands(run: BenchRun): string {
  const lines = run.scenarios.flatMap((scenario) => [
    `# ${scenario.title}`,
    ...scenario.measured.flatMap((measured) => [`${measured.name}: ${measured.command}`, ...indented(measured.statement)]),
    '',
  ]);
  return ['```', ...lines.slice(0, -1), '```'].join('\n');
}

function indented(statement: string | undefined): string[] {
  return statement === undefined ? [] : statement.split('\n').map((line) => `    ${line}`);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
