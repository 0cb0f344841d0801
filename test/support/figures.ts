import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../../bench/measure/statistics.ts';

/** The value that a share of the sorted values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What one phase of a measurement comes to. */
export interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
}

export function figuresOf(latenciesMs: readonly number[], wallMs: number): Figures {
  return { perSecond: (latenciesMs.length / wallMs) * 1_000, p99Ms: percentile(latenciesMs, 0.99) };
}

/** How a disturbed phase compares with the clean one beside it, in the median of all pairs: what else the machine does cancels out. */
export interface Comparison {
  readonly rate: number;
  readonly p99: number;
}

/** Runs both phases in turns, `pairs` times. */
export async function compare(pairs: number, clean: () => Promise<Figures>, disturbed: () => Promise<Figures>): Promise<Comparison> {
  const rates: number[] = [];
  const p99s: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // Either comes first as often as the other, so that what only grows or warms up favours neither.
    const early = pair % 2 === 0 ? await clean() : await disturbed();
    const late = pair % 2 === 0 ? await disturbed() : await clean();
    const [base, other] = pair % 2 === 0 ? [early, late] : [late, early];
    rates.push(other.perSecond / base.perSecond);
    p99s.push(other.p99Ms / base.p99Ms);
  }
  return { rate: median(rates), p99: median(p99s) };
}

/** What a disturbed phase must keep: more than `rate` of the clean pace, and less than `p99` times its delays. */
export interface Bars {
  readonly rate: number;
  readonly p99: number;
}

/**
 * Compares until the bars are met, three times at most: what else the machine does can make a good thing look bad, and does not
 * make a bad one look good. Fails with what was measured last.
 */
export async function mustHold(bars: Bars, measure: () => Promise<Comparison>): Promise<void> {
  for (let left = 2; ; left -= 1) {
    const { rate, p99 } = await measure();
    if (rate > bars.rate && p99 < bars.p99) return;
    if (left === 0)
      throw new Error(
        `the rate is ${rate.toFixed(2)} of the clean one (above ${bars.rate} is asked), p99 ${p99.toFixed(2)} times its own (below ${bars.p99})`,
      );
  }
}

/**
 * How many times slower than an idle machine this one is while `work` runs, at least 1: by the start of an empty Node process,
 * again and again. What is bounded in seconds is bounded in those of an idle machine.
 */
export async function slownessDuring(work: Promise<unknown>): Promise<number> {
  const starts: number[] = [];
  const over = new AbortController();
  const end = work.catch(() => undefined).then(() => over.abort());
  do {
    const startedAt = performance.now();
    await promisify(execFile)(process.execPath, ['-e', '0'], { env: {} });
    starts.push(performance.now() - startedAt);
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, betweenStartsMs))]);
  } while (!over.signal.aborted);
  return Math.max(1, starts.reduce((sum, ms) => sum + ms, 0) / starts.length / bareStartMs);
}

const betweenStartsMs = 200;

/** Some 60 ms on two idle cores; twice that is nobody's fault yet. */
const bareStartMs = 120;
