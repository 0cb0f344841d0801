/** Where the time comes from; a test sets its own. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

/** The one place that asks the machine for the time. */
export const systemClock: Clock = { now: () => Date.now() };

/** An instant as the wire writes it: RFC 3339, UTC, milliseconds, `Z`. */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}
