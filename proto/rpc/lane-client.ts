import type { Client } from '@grpc/grpc-js';
import { SvcError } from '../errors/svc-error.ts';
import { Backoff } from '../process/backoff.ts';
import type { Log } from '../process/log.ts';
import { openChannel } from './client.ts';
import { memberMetadata, type RpcIdentity } from './identity.ts';
import { clientLimits, type LaneClass, type LaneLimits } from './lane-limits.ts';
import { LaneLink, type LinkCounts } from './lane/lane-link.ts';
import { refusedAnswer, type CallFields, type PendingAnswer } from './outgoing-call.ts';
import { targetText, type RpcTarget } from './target.ts';
import { TimerWheel } from './lane/timer-wheel.ts';

/** Keeps one lane to one target: connects by itself, warms the stream up, and connects again with back-off when it broke. */
export class LaneClient implements AsyncDisposable {
  readonly #options: LaneClientOptions;
  readonly #wheel: TimerWheel;
  readonly #backoff = new Backoff({ firstMs: 10, maxMs: 200 });
  readonly #links = new Map<LaneLink, Client>();
  readonly #ended: LinkCounts = { calls: 0, answers: 0, batchesIn: 0, batchesOut: 0, refused: 0, timedOut: 0 };
  #current: LaneLink | null = null;
  #retry: NodeJS.Timeout | null = null;
  #connects = 0;
  #isClosed = false;
  #idle: (() => void) | null = null;

  constructor(options: LaneClientOptions) {
    this.#options = options;
    this.#wheel = new TimerWheel();
    this.#connect();
  }

  /** Whether calls are taken now. */
  get ready(): boolean {
    return this.#current !== null;
  }

  /** Ready, but it has not answered for a while: another lane is the better choice. */
  get silent(): boolean {
    return this.#current?.isSilent ?? false;
  }

  /** Calls without an answer yet. */
  get outstanding(): number {
    return this.#current?.outstanding ?? 0;
  }

  /** Never throws: what fails, fails as the answer's promise. */
  call(fields: CallFields): PendingAnswer {
    if (this.#current === null) return refusedAnswer(new SvcError('unavailable', {}, new Error('the lane is not ready')));
    return this.#current.call(fields);
  }

  /** Plain numbers for metrics. */
  stats(): LaneStats {
    const links = [...this.#links.keys()];
    const total = (key: keyof LinkCounts): number => links.reduce((sum, link) => sum + link.counts[key], this.#ended[key]);
    const outstanding = (laneClass: LaneClass): number => links.reduce((sum, link) => sum + link.outstandingOf(laneClass), 0);
    return {
      target: targetText(this.#options.target),
      ready: this.ready,
      silent: this.silent,
      connects: this.#connects,
      outstanding: { read: outstanding('read'), write: outstanding('write'), slow: outstanding('slow') },
      queuedBytes: links.reduce((sum, link) => sum + link.queuedBytes, 0),
      calls: total('calls'),
      answers: total('answers'),
      batchesIn: total('batchesIn'),
      batchesOut: total('batchesOut'),
      refused: total('refused'),
      timedOut: total('timedOut'),
    };
  }

  /** Takes no new calls, waits at most `graceMs` for the pending ones, then hangs up. */
  async close(graceMs = 5000): Promise<void> {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    for (const link of this.#links.keys()) {
      if (link.isWarming) link.break(closed());
      else link.drain();
    }
    if (this.#links.size > 0) await this.#whenIdle(graceMs);
    for (const link of this.#links.keys()) link.break(closed());
    this.#wheel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #connect(): void {
    this.#retry = null;
    const { target, identity, path, limits = clientLimits, timeoutMs = timeoutMsDefault, warmUpMs = warmUpMsDefault } = this.#options;
    const channel = openChannel(target, identity);
    const stream = channel.makeBidiStreamRequest<Buffer, Buffer>(path, asIs, asIs, memberMetadata(identity));
    const link = new LaneLink(
      {
        limits,
        timeoutMs,
        warmUpMs,
        wheel: this.#wheel,
        onReady: (ready) => this.#take(ready),
        onDraining: (draining) => this.#leave(draining),
        onEnded: (ended, cause) => this.#bury(ended, cause),
      },
      stream,
    );
    this.#links.set(link, channel);
  }

  #take(link: LaneLink): void {
    this.#connects += 1;
    this.#current = link;
    this.#backoff.reset();
    this.#options.log.info({ target: targetText(this.#options.target) }, 'the lane is ready');
    this.#options.onChange?.();
  }

  /** The service is about to go, and another may be listening at its address soon. */
  #leave(link: LaneLink): void {
    if (this.#current === link) this.#current = null;
    this.#options.onChange?.();
    this.#connectLater();
  }

  #bury(link: LaneLink, cause: unknown): void {
    const wasCurrent = this.#current === link;
    if (wasCurrent) this.#current = null;
    this.#links.get(link)?.close();
    this.#links.delete(link);
    for (const key of countKeys) this.#ended[key] += link.counts[key];
    if (cause !== null && !this.#isClosed) this.#report(cause, wasCurrent);
    this.#options.onChange?.();
    this.#connectLater();
    if (this.#links.size === 0) this.#idle?.();
  }

  /** A lane that was lost is worth a line, and so is one that has not opened for a second; a store that is just starting is not. */
  #report(cause: unknown, wasReady: boolean): void {
    const level = wasReady || this.#backoff.failures === failuresOfASecond ? 'warn' : 'debug';
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#options.log[level]({ target: targetText(this.#options.target), reason }, wasReady ? 'the lane broke' : 'the lane could not be opened');
  }

  #connectLater(): void {
    if (this.#isClosed || this.#retry !== null || this.#current !== null || this.#isConnecting()) return;
    this.#retry = setTimeout(() => this.#connect(), this.#backoff.next());
  }

  #isConnecting(): boolean {
    return [...this.#links.keys()].some((link) => link.isWarming);
  }

  #whenIdle(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export interface LaneClientOptions {
  readonly target: RpcTarget;
  readonly identity: RpcIdentity;
  /** The stream's method, such as `RecordsService.pipe.path`. */
  readonly path: string;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn'>;
  readonly limits?: LaneLimits;
  /** How long calls wait that name no time themselves. */
  readonly timeoutMs?: number;
  readonly warmUpMs?: number;
  /** Called when `ready` may have changed. */
  readonly onChange?: () => void;
}

/** Numbers since the start, over all streams of the lane. */
export interface LaneStats extends Readonly<LinkCounts> {
  readonly target: string;
  readonly ready: boolean;
  readonly silent: boolean;
  readonly connects: number;
  readonly outstanding: Readonly<Record<LaneClass, number>>;
  readonly queuedBytes: number;
}

/** Vain tries that the back-off makes within about a second. */
const failuresOfASecond = 10;
const timeoutMsDefault = 15_000;
const warmUpMsDefault = 200;
const countKeys = ['calls', 'answers', 'batchesIn', 'batchesOut', 'refused', 'timedOut'] as const;

function closed(): Error {
  return new Error('the lane was closed');
}

/** Batches are encoded and decoded by the lane itself. */
function asIs(bytes: Buffer): Buffer {
  return bytes;
}
