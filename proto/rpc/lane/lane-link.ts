import type { ClientDuplexStream } from '@grpc/grpc-js';
import { SvcError } from '../../errors/svc-error.ts';
import { Operation } from '../../gen/svc/v1/lane.ts';
import { decodeAnswers, type LaneAnswer } from '../lane-codec.ts';
import { batchBytesMax, frameBytesMax, laneQuotas, windowBytes, type LaneClass, type LaneLimits, type LaneQuotas } from '../lane-limits.ts';
import { LaneOutlet } from './lane-outlet.ts';
import { LaneWriter } from './lane-writer.ts';
import { OutgoingCall, type CallFields, type PendingAnswer } from '../outgoing-call.ts';
import type { TimerWheel } from './timer-wheel.ts';

/**
 * The life of one stream to one service: calls go out in batches, answers come back in any order and find their call by its
 * id. A link is used once; when its stream ends, all that is pending fails as `unavailable`, and `LaneClient` makes the next.
 */
export class LaneLink {
  readonly #options: LinkOptions;
  readonly #stream: LaneStream;
  readonly #outlet: LaneOutlet<OutgoingCall>;
  readonly #quotas: LaneQuotas;
  /** Pending calls by the low bits of their ids: ids only rise, so that a late answer can never meet another call. */
  readonly #pending: (OutgoingCall | undefined)[];
  readonly #idMask: number;
  readonly #counts: LinkCounts = { calls: 0, answers: 0, batchesIn: 0, batchesOut: 0, refused: 0, timedOut: 0 };
  #lastId = 0;
  #pendingCount = 0;
  /** When the last answer came, or the first call after a time without any was made. */
  #quietSinceMs = 0;
  #cancelled: number[] = [];
  #state: 'warming' | 'ready' | 'draining' | 'ended' = 'warming';

  constructor(options: LinkOptions, stream: LaneStream) {
    this.#options = options;
    this.#stream = stream;
    this.#quotas = laneQuotas(options.limits);
    const size = tableSize(options.limits);
    this.#pending = Array.from({ length: size }, () => undefined);
    this.#idMask = size - 1;
    this.#outlet = new LaneOutlet<OutgoingCall>({
      writer: new LaneWriter(),
      windowBytes,
      encode: encodeCall,
      encodeNews: (writer, takenBytes) => this.#encodeNews(writer, takenBytes),
      write: (batch) => this.#write(batch),
    });
    this.#listen();
    void this.#warmUp();
  }

  get isWarming(): boolean {
    return this.#state === 'warming';
  }

  /** Whether calls are pending and nothing has been heard for a while: the service may be stopped, or its host gone. */
  get isSilent(): boolean {
    return this.#pendingCount > 0 && performance.now() - this.#quietSinceMs > silentMs;
  }

  get outstanding(): number {
    return this.#pendingCount;
  }

  get queuedBytes(): number {
    return this.#outlet.queuedBytes;
  }

  get counts(): Readonly<LinkCounts> {
    return this.#counts;
  }

  outstandingOf(laneClass: LaneClass): number {
    return this.#quotas[laneClass].frames;
  }

  call(fields: CallFields): PendingAnswer {
    const call = new OutgoingCall(this, fields, this.#options.timeoutMs);
    const refusal = this.#refusal(call);
    if (refusal !== null) return this.#refuse(call, refusal);
    call.id = this.#takeId();
    this.#pending[call.id & this.#idMask] = call;
    if (this.#pendingCount === 0) this.#quietSinceMs = performance.now();
    this.#pendingCount += 1;
    this.#counts.calls += 1;
    this.#options.wheel.add(call, call.timeoutMs);
    this.#outlet.push(call);
    return call;
  }

  /** The caller wants no answer any more, or has waited long enough. */
  abandon(call: OutgoingCall, error: SvcError): void {
    if (!this.#forget(call)) return;
    if (error.code === 'timed_out') this.#counts.timedOut += 1;
    if (call.isSent) {
      this.#cancelled.push(call.id);
      this.#outlet.nudge();
    } else {
      call.isDropped = true;
    }
    call.fail(error);
    this.#endWhenIdle();
  }

  /** Takes no new calls, lets the pending ones finish, then ends the stream. */
  drain(): void {
    if (this.#state === 'draining' || this.#state === 'ended') return;
    this.#state = 'draining';
    this.#options.onDraining(this);
    this.#endWhenIdle();
  }

  /** Ends at once; what is pending fails with `cause`. */
  break(cause: unknown): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#outlet.close();
    this.#stream.cancel();
    for (const call of this.#pending) {
      if (call !== undefined && this.#forget(call)) call.fail(new SvcError('unavailable', {}, cause));
    }
    this.#options.onEnded(this, cause);
  }

  #refusal(call: OutgoingCall): SvcError | null {
    if (this.#state === 'draining' || this.#state === 'ended') return new SvcError('unavailable', {}, new Error('the lane takes no calls'));
    if (call.weight > frameBytesMax) return new SvcError('body_too_large', { values: { limit: frameBytesMax } });
    if (this.#outlet.queuedBytes > queueBytesMax) return new SvcError('overloaded', {}, new Error('the queue of the lane is full'));
    if (!this.#quotas[call.laneClass].take(call.weight))
      return new SvcError('overloaded', {}, new Error(`too many calls of the class ${call.laneClass}`));
    return null;
  }

  #refuse(call: OutgoingCall, error: SvcError): PendingAnswer {
    this.#counts.refused += 1;
    call.fail(error);
    return call;
  }

  #takeId(): number {
    do this.#lastId = this.#lastId === idMax ? 1 : this.#lastId + 1;
    while (this.#pending[this.#lastId & this.#idMask] !== undefined);
    return this.#lastId;
  }

  /** False when the call is pending no longer. */
  #forget(call: OutgoingCall): boolean {
    const index = call.id & this.#idMask;
    if (this.#pending[index] !== call) return false;
    this.#pending[index] = undefined;
    this.#pendingCount -= 1;
    this.#quotas[call.laneClass].give(call.weight);
    this.#options.wheel.remove(call);
    return true;
  }

  #listen(): void {
    this.#stream.on('data', (batch: Buffer) => this.#receive(batch));
    this.#stream.on('drain', () => this.#outlet.drained());
    this.#stream.on('error', (error) => this.break(error));
    this.#stream.on('end', () => this.break(new Error('the service ended the stream')));
  }

  #receive(batch: Buffer): void {
    if (this.#state === 'ended') return;
    try {
      const { answers, takenBytes, draining } = decodeAnswers(batch);
      this.#counts.batchesIn += 1;
      this.#quietSinceMs = performance.now();
      if (takenBytes > 0) this.#outlet.credit(takenBytes);
      for (const answer of answers) this.#settle(answer);
      this.#outlet.took(batch.length);
      if (draining) this.drain();
    } catch (error) {
      this.break(error);
    }
    if (this.#state === 'draining') this.#endWhenIdle();
  }

  #settle(answer: LaneAnswer): void {
    const call = this.#pending[answer.id & this.#idMask];
    // An answer that nobody waits for: its call was cancelled or timed out meanwhile.
    if (call === undefined || call.id !== answer.id) return;
    this.#forget(call);
    this.#counts.answers += 1;
    call.resolve(answer);
  }

  #write(batch: Buffer): boolean {
    this.#counts.batchesOut += 1;
    return this.#stream.write(batch);
  }

  #encodeNews(writer: LaneWriter, takenBytes: number): void {
    writer.cancelled(this.#cancelled);
    if (this.#cancelled.length > 0) this.#cancelled = [];
    writer.number(takenBytesTag, takenBytes);
  }

  #endWhenIdle(): void {
    if (this.#state !== 'draining' || this.#pendingCount > 0) return;
    this.#state = 'ended';
    this.#outlet.close();
    this.#stream.end();
    this.#options.onEnded(this, null);
  }

  /**
   * Exercises the fresh stream: grpc-js, HTTP/2's windows and the compiler need some hundred messages to reach speed, and
   * the first strangers after a start should not pay for it.
   */
  async #warmUp(): Promise<void> {
    const giveUp = setTimeout(() => this.break(new Error('the service did not answer on a new stream in time')), handshakeMs);
    try {
      await this.call({ operation: Operation.PING, timeoutMs: handshakeMs }).answer;
      const until = performance.now() + this.#options.warmUpMs;
      for (let round = 0; round < warmUpRounds && performance.now() < until; round += 1) {
        for (const count of warmUpPings) await this.#pings(count);
      }
      if (this.#state === 'warming') {
        this.#state = 'ready';
        this.#options.onReady(this);
      }
    } catch (error) {
      this.break(error);
    } finally {
      clearTimeout(giveUp);
    }
  }

  async #pings(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.call(warmUpCall).answer));
  }
}

/** A stream of whole batches, as grpc-js gives it. */
export type LaneStream = ClientDuplexStream<Buffer, Buffer>;

export interface LinkOptions {
  readonly limits: LaneLimits;
  /** For calls that name none. */
  readonly timeoutMs: number;
  readonly warmUpMs: number;
  readonly wheel: TimerWheel;
  readonly onReady: (link: LaneLink) => void;
  readonly onDraining: (link: LaneLink) => void;
  /** `cause` is null when it ended because it was asked to. */
  readonly onEnded: (link: LaneLink, cause: unknown) => void;
}

export interface LinkCounts {
  calls: number;
  answers: number;
  batchesIn: number;
  batchesOut: number;
  refused: number;
  timedOut: number;
}

/** Bytes that wait for the window before further calls are refused. */
const queueBytesMax = 32 * batchBytesMax;

/** Ids wrap here, far above what can be under way, and stay small integers for the compiler. */
const idMax = 0x3fff_ffff;

/** A pause of the event loop is shorter; the transport itself notices a dead host after ten seconds. */
const silentMs = 1000;

const takenBytesTag = 0x18;
const handshakeMs = 5000;
const warmUpRounds = 50;
/** Batches of every size: code that has only seen large ones is compiled for those. */
const warmUpPings: readonly number[] = [1, 8, 64];

const warmUpCall: CallFields = {
  operation: Operation.PING,
  collection: 'warm_up',
  record: '0192f0c8-7a6b-7c3d-8e4f-0123456789ab',
  query: 'perPage=30&sort=-created_at',
  credential: 'Bearer '.padEnd(160, 'x'),
  requestId: '0123456789abcdef0123456789abcdef',
  body: Buffer.from('{"title":"warm up"}'),
};

function encodeCall(writer: LaneWriter, call: OutgoingCall): void {
  call.isSent = true;
  writer.call(call);
}

/** A power of two with room to spare, so that a free place is found at once. */
function tableSize(limits: LaneLimits): number {
  const frames = limits.read.frames + limits.write.frames + limits.slow.frames;
  return 2 ** Math.ceil(Math.log2(frames * 2));
}
