import type { LaneCall } from '../lane-codec.ts';
import type { LaneQuota } from '../lane-limits.ts';
import type { OutletFrame } from './lane-outlet.ts';
import type { LaneContext, LaneHandle, LaneReply } from './lane-handle.ts';
import { answerSize, type AnswerFrame } from './lane-writer.ts';
import { WheelEntry } from './timer-wheel.ts';

/** A call at the service, from its arrival until its handler has settled: deadline and context in one object. */
export class ServedCall extends WheelEntry implements LaneContext {
  readonly call: LaneCall;
  readonly #owner: ServedCallOwner;
  readonly #quota: LaneQuota;
  #listeners: (() => void)[] | null = null;
  cancelled = false;

  constructor(owner: ServedCallOwner, call: LaneCall, quota: LaneQuota) {
    super();
    this.#owner = owner;
    this.call = call;
    this.#quota = quota;
  }

  run(handle: LaneHandle): void {
    let reply: LaneReply | Promise<LaneReply>;
    try {
      reply = handle(this.call, this);
    } catch (error) {
      return this.#fail(error);
    }
    if (!(reply instanceof Promise)) return this.#settle(reply);
    reply.then(
      (late) => this.#settle(late),
      (error: unknown) => this.#fail(error),
    );
  }

  onCancel(listener: () => void): void {
    if (this.cancelled) return listener();
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    const listeners = this.#listeners ?? [];
    this.#listeners = null;
    for (const listener of listeners) listener();
  }

  override expire(): void {
    this.#owner.expire(this);
  }

  #settle(reply: LaneReply): void {
    this.#quota.give(this.call.body.length);
    this.#owner.answer(this, reply);
  }

  #fail(error: unknown): void {
    this.#quota.give(this.call.body.length);
    this.#owner.fail(this, error);
  }
}

/** An answer that waits to leave. */
export class QueuedAnswer implements AnswerFrame, OutletFrame {
  readonly id: number;
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly etag: string;
  readonly retryAfterS: number;
  readonly weight: number;
  readonly isDropped = false;

  constructor(id: number, reply: LaneReply) {
    this.id = id;
    this.status = reply.status;
    this.body = reply.body ?? '';
    this.etag = reply.etag ?? '';
    this.retryAfterS = reply.retryAfterS ?? 0;
    this.weight = answerSize(this);
  }
}

/** Who sends the answer. */
export interface ServedCallOwner {
  answer(served: ServedCall, reply: LaneReply): void;
  fail(served: ServedCall, thrown: unknown): void;
  expire(served: ServedCall): void;
}
