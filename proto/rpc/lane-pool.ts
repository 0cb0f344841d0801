import { SvcError } from '../errors/svc-error.ts';
import { LaneClient, type LaneClientOptions, type LaneStats } from './lane-client.ts';
import { refusedAnswer, type CallFields, type PendingAnswer } from './outgoing-call.ts';
import { parseTargets } from './target.ts';

/** Lanes to every process of one service; each call takes the ready lane with the fewest calls outstanding, a silent one last. */
export class LanePool implements AsyncDisposable {
  readonly #lanes: readonly LaneClient[];
  #waiting: (() => void)[] = [];

  constructor(options: LanePoolOptions) {
    const { targets, ...rest } = options;
    this.#lanes = parseTargets(targets).map((target) => new LaneClient({ ...rest, target, onChange: () => this.#changed() }));
  }

  /** Whether any lane takes calls now. */
  get ready(): boolean {
    return this.#lanes.some((lane) => lane.ready);
  }

  /** Resolves as soon as one lane is ready. */
  whenReady(): Promise<void> {
    if (this.ready) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Never throws: what fails, fails as the answer's promise. */
  call(fields: CallFields): PendingAnswer {
    const lane = this.#lanes.length === 1 ? this.#lanes[0] : this.#best();
    return lane?.call(fields) ?? refusedAnswer(new SvcError('unavailable', {}, new Error('no lane is ready')));
  }

  /** Plain numbers for metrics, one entry per target. */
  stats(): LaneStats[] {
    return this.#lanes.map((lane) => lane.stats());
  }

  /** Takes no new calls, waits at most `graceMs` for the pending ones, then hangs up. */
  async close(graceMs?: number): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close(graceMs)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #best(): LaneClient | null {
    let best: LaneClient | null = null;
    for (const lane of this.#lanes) if (lane.ready && (best === null || isBetter(lane, best))) best = lane;
    return best;
  }

  #changed(): void {
    if (!this.ready) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function isBetter(lane: LaneClient, other: LaneClient): boolean {
  return lane.silent === other.silent ? lane.outstanding < other.outstanding : other.silent;
}

export interface LanePoolOptions extends Omit<LaneClientOptions, 'target' | 'onChange'> {
  /** `unix:/path` or `host:port`, or a comma list of them. */
  readonly targets: string;
}
