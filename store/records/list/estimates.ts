/** What the planner said of how many records match a condition. */
interface Estimate {
  readonly items: number;
  readonly untilMs: number;
}

const keptMax = 500;
const keptMs = 10_000;

/** Totals of conditions that were just found to match more than is counted: for a while they are not counted again. */
export class Estimates {
  readonly #kept = new Map<string, Estimate>();

  /** The estimate of the condition `key`; undefined where it has to be counted. */
  get(key: string): number | undefined {
    const estimate = this.#kept.get(key);
    return estimate !== undefined && estimate.untilMs > performance.now() ? estimate.items : undefined;
  }

  keep(key: string, items: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { items, untilMs: performance.now() + keptMs });
    if (this.#kept.size <= keptMax) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
