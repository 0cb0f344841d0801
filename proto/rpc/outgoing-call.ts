import { SvcError } from '../errors/svc-error.ts';
import type { Operation } from '../gen/svc/v1/lane.ts';
import type { LaneAnswer } from './lane-codec.ts';
import type { LaneClass } from './lane-limits.ts';
import { callSize, type CallFrame } from './lane/lane-writer.ts';
import { WheelEntry } from './lane/timer-wheel.ts';

/** What a caller says of a call; what is left out is empty. */
export interface CallFields {
  readonly operation: Operation;
  /** Whose limit the call counts against; `read` when left out. */
  readonly class?: LaneClass;
  /** 0 or left out: the lane's own. */
  readonly timeoutMs?: number;
  readonly collection?: string;
  readonly record?: string;
  readonly query?: string;
  /** Must not change until the answer is there. */
  readonly body?: Uint8Array | string;
  readonly credential?: string;
  readonly requestId?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly idempotencyKey?: string;
  readonly headers?: string;
}

/** The answer to come. */
export interface PendingAnswer {
  /** Rejects with a SvcError: `unavailable`, `overloaded` or `timed_out`. What the service refuses is an answer with its status. */
  readonly answer: Promise<LaneAnswer>;
  /** The caller has gone: the service is told, and the promise rejects. */
  cancel(): void;
}

/** A call from the moment it is made until it is answered: frame, deadline and promise in one object. */
export class OutgoingCall extends WheelEntry implements CallFrame, PendingAnswer {
  readonly answer: Promise<LaneAnswer>;
  resolve: (answer: LaneAnswer) => void = nothing;
  #reject: (error: SvcError) => void = nothing;
  id = 0;
  isSent = false;
  isDropped = false;
  readonly laneClass: LaneClass;
  readonly weight: number;
  readonly operation: Operation;
  readonly timeoutMs: number;
  readonly collection: string;
  readonly record: string;
  readonly query: string;
  readonly body: Uint8Array | string;
  readonly credential: string;
  readonly requestId: string;
  readonly ifMatch: string;
  readonly ifNoneMatch: string;
  readonly idempotencyKey: string;
  readonly headers: string;
  readonly #owner: CallOwner;

  constructor(owner: CallOwner, fields: CallFields, timeoutMs: number) {
    super();
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.#reject = reject;
    });
    this.#owner = owner;
    this.laneClass = fields.class ?? 'read';
    this.operation = fields.operation;
    this.timeoutMs = fields.timeoutMs || timeoutMs;
    this.collection = fields.collection ?? '';
    this.record = fields.record ?? '';
    this.query = fields.query ?? '';
    this.body = fields.body ?? '';
    this.credential = fields.credential ?? '';
    this.requestId = fields.requestId ?? '';
    this.ifMatch = fields.ifMatch ?? '';
    this.ifNoneMatch = fields.ifNoneMatch ?? '';
    this.idempotencyKey = fields.idempotencyKey ?? '';
    this.headers = fields.headers ?? '';
    this.weight = callSize(this);
  }

  /** A caller who has gone may not look at the promise any more; that shall end no process. */
  fail(error: SvcError): void {
    this.answer.catch(nothing);
    this.#reject(error);
  }

  cancel(): void {
    this.#owner.abandon(this, new SvcError('unavailable', {}, new Error('the caller has gone')));
  }

  override expire(): void {
    this.#owner.abandon(this, new SvcError('timed_out'));
  }
}

/** The pending answer of a call that was never sent. */
export function refusedAnswer(error: SvcError): PendingAnswer {
  const answer = Promise.reject<LaneAnswer>(error);
  answer.catch(nothing);
  return { answer, cancel: nothing };
}

/** Stands in until the promise's own functions are there, which is at once. */
function nothing(): void {}

/** Who keeps the call. */
export interface CallOwner {
  abandon(call: OutgoingCall, error: SvcError): void;
}
