import { trend } from '../measure/statistics.ts';
import type { Sample } from './probe.ts';

/** The samples of a soak, each with the seconds since the load began. */
export type Series = readonly { readonly atS: number; readonly sample: Sample }[];

export interface Tolerance {
  /** How much memory may rise over the window, as a share of its mean and in bytes: whichever allows more. */
  readonly memoryShare: number;
  readonly memoryBytes: number;
  /** How many things (handles, streams, connections) may be added over the window. */
  readonly things: number;
}

export interface Finding {
  readonly what: string;
  readonly unit: 'bytes' | 'things';
  readonly mean: number;
  /** What the least-squares line rises over the window. */
  readonly rise: number;
  readonly allowed: number;
  /** Slope over its standard error: above 4 it is no accident. */
  readonly certainty: number;
  readonly verdict: 'steady' | 'rises' | 'shown only';
}

/** The window: what comes before it is warm-up. */
export const WINDOW_FROM = 0.4;

const SURE = 4;

/** Judges each watched thing by its trend over the last part of the soak. */
export function findings(series: Series, tolerance: Tolerance): Finding[] {
  const end = series.at(-1)?.atS ?? 0;
  const window = series.filter((point) => point.atS >= end * WINDOW_FROM);
  const names = [...new Set(window.flatMap((point) => [...point.sample.keys()]))];
  return names.map((what) => finding(what, window, tolerance));
}

function finding(what: string, window: Series, tolerance: Tolerance): Finding {
  const points = window.map(({ atS, sample }): [number, number] => [atS, sample.get(what) ?? 0]);
  const mean = points.reduce((sum, [, value]) => sum + value, 0) / points.length;
  const { slope, certainty } = trend(points);
  const rise = slope * ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0));
  const unit = /(heap|memory|bytes)$/.test(what) ? 'bytes' : 'things';
  const allowed = unit === 'bytes' ? Math.max(mean * tolerance.memoryShare, tolerance.memoryBytes) : tolerance.things;
  const judged = rise > allowed && certainty > SURE ? 'rises' : 'steady';
  // The kernel and malloc keep what was once used: resident memory says something only beside the heap and external memory.
  return { what, unit, mean, rise, allowed, certainty, verdict: what.endsWith('resident memory') ? 'shown only' : judged };
}
