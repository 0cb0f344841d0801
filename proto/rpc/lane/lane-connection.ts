import { status as Status, type ServerDuplexStream } from '@grpc/grpc-js';
import { asSvcError, problemText, retryAfterS } from '../../errors/problem.ts';
import { SvcError } from '../../errors/svc-error.ts';
import { Operation } from '../../gen/svc/v1/lane.ts';
import type { Log } from '../../process/log.ts';
import { decodeCalls, type DecodedCalls, type LaneCall } from '../lane-codec.ts';
import { frameBytesMax, windowBytes, type LaneClass, type LaneQuotas } from '../lane-limits.ts';
import { LaneOutlet } from './lane-outlet.ts';
import type { LaneHandle, LaneReply, LaneServerCounts } from './lane-handle.ts';
import { LaneWriter } from './lane-writer.ts';
import { QueuedAnswer, ServedCall } from './served-call.ts';
import type { TimerWheel } from './timer-wheel.ts';

/**
 * One gateway's lane at the service. Calls are handed on the moment they come in. When the gateway does not take its answers,
 * further calls wait here untaken, so that its window closes; and should answers still pile up, their bodies are let go.
 */
export class LaneConnection {
  readonly #options: ConnectionOptions;
  readonly #stream: ServerDuplexStream<Buffer, Buffer>;
  readonly #outlet: LaneOutlet<QueuedAnswer>;
  readonly #calls = new Map<number, ServedCall>();
  /** Batches that wait until the gateway takes its answers. */
  #held: HeldBatch[] = [];
  #isDraining = false;
  #hasEnded = false;
  #inputEnded = false;

  constructor(options: ConnectionOptions, stream: ServerDuplexStream<Buffer, Buffer>) {
    this.#options = options;
    this.#stream = stream;
    this.#outlet = new LaneOutlet<QueuedAnswer>({
      writer: new LaneWriter(),
      windowBytes,
      encode: (writer, answer) => writer.answer(answer),
      encodeNews: (writer, takenBytes) => this.#encodeNews(writer, takenBytes),
      write: (batch) => this.#stream.write(batch),
      onSent: () => this.#sent(),
    });
    this.#listen();
  }

  get queuedBytes(): number {
    return this.#outlet.queuedBytes;
  }

  drain(): void {
    this.#isDraining = true;
    this.#outlet.nudge();
  }

  /** The handler has answered in time. */
  answer(served: ServedCall, reply: LaneReply): void {
    if (!this.#finish(served)) return;
    this.#options.counts.answers += 1;
    this.#send(new QueuedAnswer(served.call.id, reply));
  }

  /** The handler has failed. */
  fail(served: ServedCall, thrown: unknown): void {
    const { call } = served;
    const error = asSvcError(thrown, call.requestId);
    if (error.code === 'internal') {
      this.#options.counts.failed += 1;
      this.#options.log.error({ err: error.cause ?? error, requestId: call.requestId, operation: call.operation }, 'a call failed');
    }
    this.answer(served, problemReply(error));
  }

  /** The deadline has passed; the handler is told, and keeps its place in the limit until it has settled. */
  expire(served: ServedCall): void {
    if (!this.#finish(served)) return;
    this.#options.counts.timedOut += 1;
    this.#send(new QueuedAnswer(served.call.id, timedOutReply));
    served.cancel();
  }

  #listen(): void {
    this.#stream.on('data', (batch: Buffer) => this.#receive(batch));
    this.#stream.on('drain', () => this.#outlet.drained());
    this.#stream.on('end', () => this.#endInput());
    this.#stream.on('cancelled', () => this.#end());
    this.#stream.on('error', () => this.#end());
    this.#stream.on('close', () => this.#end());
  }

  #receive(bytes: Buffer): void {
    if (this.#hasEnded) return;
    const batch = this.#decode(bytes);
    if (batch === null) return;
    if (batch.takenBytes > 0) this.#outlet.credit(batch.takenBytes);
    for (const id of batch.cancelled) this.#cancel(id);
    if (this.#isStalled()) this.#held.push({ calls: batch.calls, bytes: bytes.length });
    else this.#takeOver(batch.calls, bytes.length);
  }

  #decode(bytes: Buffer): DecodedCalls | null {
    try {
      return decodeCalls(bytes);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a gateway sent a batch that cannot be read; its lane is closed');
      this.#stream.emit('error', { code: Status.INVALID_ARGUMENT, details: 'the batch cannot be read' });
      return null;
    }
  }

  #takeOver(calls: readonly (LaneCall | undefined)[], bytes: number): void {
    this.#outlet.took(bytes);
    for (const call of calls) if (call !== undefined) this.#serve(call);
  }

  #serve(call: LaneCall): void {
    const { handle, classOf, counts, quotas, timeoutMsMax, wheel } = this.#options;
    if (call.operation === Operation.PING) return this.#send(new QueuedAnswer(call.id, pingReply));
    counts.calls += 1;
    const laneClass = classOf(call);
    const quota = quotas[laneClass];
    if (!quota.take(call.body.length)) return this.#refuse(call);
    const served = new ServedCall(this, laneClass === 'slow' ? detached(call) : call, quota);
    this.#calls.set(call.id, served);
    wheel.add(served, call.timeoutMs === 0 ? timeoutMsMax : Math.min(call.timeoutMs + slackMs, timeoutMsMax));
    served.run(handle);
  }

  #refuse(call: LaneCall): void {
    this.#options.counts.refused += 1;
    this.#send(new QueuedAnswer(call.id, overloadedReply));
  }

  #cancel(id: number): void {
    const served = this.#calls.get(id);
    if (served !== undefined && this.#finish(served)) served.cancel();
    else for (const { calls } of this.#held) dropCall(calls, id);
  }

  /** False when the call has been answered or given up before. */
  #finish(served: ServedCall): boolean {
    if (this.#calls.get(served.call.id) !== served) return false;
    this.#calls.delete(served.call.id);
    this.#options.wheel.remove(served);
    return true;
  }

  #send(answer: QueuedAnswer): void {
    if (this.#hasEnded) return;
    if (answer.weight > frameBytesMax) return this.#send(new QueuedAnswer(answer.id, tooLargeReply));
    if (this.#outlet.queuedBytes > queueBytesMax && answer.body.length > sheddableBytes) {
      this.#options.counts.shed += 1;
      return this.#outlet.push(new QueuedAnswer(answer.id, overloadedReply));
    }
    this.#outlet.push(answer);
  }

  #isStalled(): boolean {
    return this.#outlet.queuedBytes > windowBytes || this.#held.length > 0;
  }

  #sent(): void {
    while (this.#held.length > 0 && this.#outlet.queuedBytes <= windowBytes / 2) {
      const batch = this.#held.shift();
      if (batch !== undefined) this.#takeOver(batch.calls, batch.bytes);
    }
    this.#endOutput();
  }

  #encodeNews(writer: LaneWriter, takenBytes: number): void {
    writer.number(takenBytesTag, takenBytes);
    if (this.#isDraining) writer.number(drainingTag, 1);
  }

  #endInput(): void {
    this.#inputEnded = true;
    this.#outlet.nudge();
  }

  /** The gateway sends no more; once everything is answered the stream is over. */
  #endOutput(): void {
    if (this.#hasEnded || !this.#inputEnded || this.#calls.size > 0 || this.#held.length > 0 || this.#outlet.queuedFrames > 0) return;
    this.#stream.end();
    this.#end();
  }

  /** The stream is gone: nobody waits for what is under way. */
  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#outlet.close();
    this.#held = [];
    for (const served of this.#calls.values()) if (this.#finish(served)) served.cancel();
    this.#options.onEnded();
  }
}

export interface ConnectionOptions {
  readonly handle: LaneHandle;
  readonly classOf: (call: LaneCall) => LaneClass;
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly timeoutMsMax: number;
  readonly quotas: LaneQuotas;
  readonly wheel: TimerWheel;
  readonly counts: LaneServerCounts;
  readonly onEnded: () => void;
}

interface HeldBatch {
  readonly calls: (LaneCall | undefined)[];
  readonly bytes: number;
}

/** The gateway's own deadline comes first, and with it its cancellation; ours is for a gateway that keeps none. */
const slackMs = 100;

const takenBytesTag = 0x10;
const drainingTag = 0x18;

/** Answers that wait for the window of one lane; beyond it bodies are let go. */
const queueBytesMax = 64 * 1024 * 1024;

/** Smaller answers are not worth replacing. */
const sheddableBytes = 256;

const pingReply: LaneReply = { status: 200, body: `{"title":"${'warm up '.repeat(32)}"}`, etag: '"1.1"' };
const overloadedReply = problemReply(new SvcError('overloaded'));
const timedOutReply = problemReply(new SvcError('timed_out'));
const tooLargeReply = problemReply(new SvcError('answer_too_large', { values: { limit: frameBytesMax } }));

function problemReply(error: SvcError): LaneReply {
  return { status: error.status, body: problemText(error), retryAfterS: retryAfterS(error) };
}

/** A call that may stay for long keeps only its own body, not the batch that it came in. */
function detached(call: LaneCall): LaneCall {
  return call.body.length === 0 ? call : { ...call, body: Buffer.from(call.body) };
}

function dropCall(calls: (LaneCall | undefined)[], id: number): void {
  const index = calls.findIndex((call) => call?.id === id);
  if (index >= 0) calls[index] = undefined;
}
