import type { Clock } from '../../proto/values/time.ts';

/** What is kept for a while: at most so many entries, of which the one longest unused goes first. */
export class ExpiringMap<Value> {
  readonly #clock: Clock;
  readonly #entriesMax: number;
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAtMs: number }>();

  constructor({ clock, entriesMax, lifetimeMs }: { readonly clock: Clock; readonly entriesMax: number; readonly lifetimeMs: number }) {
    this.#clock = clock;
    this.#entriesMax = entriesMax;
    this.#lifetimeMs = lifetimeMs;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.endsAtMs <= this.#clock.now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, endsAtMs: this.#clock.now() + this.#lifetimeMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#entriesMax && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Takes the entry out, if it still is the one meant. */
  forget(key: string, value: Value): void {
    if (this.#entries.get(key)?.value === value) this.#entries.delete(key);
  }
}
