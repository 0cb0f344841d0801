import type { LaneCall } from '../lane-codec.ts';

/** May answer at once or later. What it throws becomes the problem body that says so. */
export type LaneHandle = (call: LaneCall, context: LaneContext) => LaneReply | Promise<LaneReply>;

/** What a handler answers; text is encoded straight into the batch. */
export interface LaneReply {
  readonly status: number;
  readonly body?: string | Uint8Array;
  readonly etag?: string;
  readonly retryAfterS?: number;
}

/** What a handler may know beside the call: whether anybody still waits for the answer. */
export interface LaneContext {
  /** True once the caller has gone or the deadline has passed. */
  readonly cancelled: boolean;
  /** Calls `listener` when that happens, at once if it has. */
  onCancel(listener: () => void): void;
}

export interface LaneServerCounts {
  calls: number;
  answers: number;
  /** Over a limit. */
  refused: number;
  timedOut: number;
  /** Mistakes of our own. */
  failed: number;
  /** Answers that a gateway which takes none has made us let go. */
  shed: number;
}
