/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Least squares through points: how fast y rises with x, and how sure that is (slope over its standard error). */
export interface Trend {
  readonly slope: number;
  readonly certainty: number;
}

export function trend(points: readonly (readonly [number, number])[]): Trend {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (n < 3 || spreadX === 0) return { slope: 0, certainty: 0 };
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spreadX;
  const residual = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const error = Math.sqrt(residual / (n - 2) / spreadX);
  if (error === 0) return { slope, certainty: slope === 0 ? 0 : Math.sign(slope) * Number.POSITIVE_INFINITY };
  return { slope, certainty: slope / error };
}
