/** Calls of one class share a limit and never take another's place: a full bcrypt queue stops no read. */
export type LaneClass = 'read' | 'write' | 'slow';

/** How much of one class may be outstanding at once. */
export interface LaneLimit {
  readonly frames: number;
  /** Bytes of their bodies. */
  readonly bytes: number;
}

export type LaneLimits = Readonly<Record<LaneClass, LaneLimit>>;

const mebibyte = 1024 * 1024;

/** What one lane of a gateway may have outstanding. */
export const clientLimits: LaneLimits = {
  read: { frames: 4096, bytes: 16 * mebibyte },
  write: { frames: 2048, bytes: 64 * mebibyte },
  slow: { frames: 512, bytes: 32 * mebibyte },
};

/** What one service takes on from all its lanes together: three busy gateways' worth. */
export const serverLimits: LaneLimits = {
  read: { frames: 12_288, bytes: 48 * mebibyte },
  write: { frames: 6144, bytes: 192 * mebibyte },
  slow: { frames: 1024, bytes: 64 * mebibyte },
};

/** Bytes that may be under way in one direction of one lane before the receiver has taken them over. */
export const windowBytes = 8 * mebibyte;

/** A batch is closed at so many frames or bytes; a larger frame travels alone. */
export const batchFramesMax = 512;
export const batchBytesMax = mebibyte;

/** No single call or answer is larger; above it the transport would break the stream for everybody on it. */
export const frameBytesMax = 32 * mebibyte;

/** What the transport takes as one message: the largest frame, and room for a batch around it. */
export const messageBytesMax = frameBytesMax + 4 * mebibyte;

/** Counts one class against its limit. */
export class LaneQuota {
  readonly #limit: LaneLimit;
  #frames = 0;
  #bytes = 0;

  constructor(limit: LaneLimit) {
    this.#limit = limit;
  }

  get frames(): number {
    return this.#frames;
  }

  /** False when there is no room; a single large frame always finds room when there is no other. */
  take(bytes: number): boolean {
    if (this.#frames >= this.#limit.frames) return false;
    if (this.#bytes + bytes > this.#limit.bytes && this.#frames > 0) return false;
    this.#frames += 1;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#frames -= 1;
    this.#bytes -= bytes;
  }
}

export type LaneQuotas = Readonly<Record<LaneClass, LaneQuota>>;

export function laneQuotas(limits: LaneLimits): LaneQuotas {
  return { read: new LaneQuota(limits.read), write: new LaneQuota(limits.write), slow: new LaneQuota(limits.slow) };
}
