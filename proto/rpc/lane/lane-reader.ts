import { nativeBuffer, type NativeBuffer } from './native-buffer.ts';

/** Walks over protobuf's wire format. Every step checks its bounds: broken bytes throw a RangeError, never read beyond the message. */
export class LaneReader {
  readonly #bytes: NativeBuffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = nativeBuffer(bytes);
  }

  /** An unsigned 32-bit number; of a longer varint the low bits, as every protobuf reader takes them. */
  varint(): number {
    const bytes = this.#bytes;
    const first = bytes[this.at++];
    if (first === undefined) throw cut();
    return first < 0x80 ? first : this.#longVarint(first);
  }

  flag(): boolean {
    // A bool is a varint of up to 64 bits and true when any of them is set.
    let anyBit = 0;
    for (let index = 0; index < varintBytesMax; index += 1) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw cut();
      anyBit |= byte & 0x7f;
      if (byte < 0x80) return anyBit !== 0;
    }
    throw new RangeError('a number on the lane is longer than ten bytes');
  }

  text(): string {
    const end = this.end();
    const start = this.at;
    this.at = end;
    // One native call, about 50 ns at any length that matters; looking for ASCII first costs more than it saves.
    return start === end ? '' : this.#bytes.utf8Slice(start, end);
  }

  /** A view, not a copy. */
  bytes(): Buffer {
    const end = this.end();
    const start = this.at;
    this.at = end;
    return this.#bytes.subarray(start, end);
  }

  /** Reads a length and says where the thing of that length ends. */
  end(): number {
    const length = this.varint();
    const end = this.at + length;
    if (end > this.#bytes.length) throw cut();
    return end;
  }

  /** Steps over a field that this version does not know. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.flag();
        return;
      case 1:
        return this.#leap(8);
      case 2:
        this.at = this.end();
        return;
      case 5:
        return this.#leap(4);
      default:
        throw new RangeError(`a field on the lane has the wire type ${tag & 7}`);
    }
  }

  mustStandAt(end: number): void {
    if (this.at !== end) throw new RangeError('a message on the lane does not end where it says');
  }

  #leap(count: number): void {
    this.at += count;
    if (this.at > this.#bytes.length) throw cut();
  }

  #longVarint(first: number): number {
    let value = first & 0x7f;
    for (let shift = 7; shift < varintBytesMax * 7; shift += 7) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw cut();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError('a number on the lane is longer than ten bytes');
  }
}

const varintBytesMax = 10;

function cut(): RangeError {
  return new RangeError('a message on the lane is cut short');
}
