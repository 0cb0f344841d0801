import type { Operation } from '../gen/svc/v1/lane.ts';
import { LaneReader } from './lane/lane-reader.ts';

// The two hot messages, decoded by hand: against ts-proto's code this halves the cost of the hop. The bytes are the
// same ones (a golden and a property test hold the two codecs against each other), so either end may use either.
// `lane-writer.ts` is the other direction.

/** A call as the service receives it. Its body is a view of the batch it came in. */
export interface LaneCall {
  readonly id: number;
  readonly operation: Operation;
  readonly timeoutMs: number;
  readonly collection: string;
  readonly record: string;
  readonly query: string;
  readonly body: Buffer;
  readonly credential: string;
  readonly requestId: string;
  readonly ifMatch: string;
  readonly ifNoneMatch: string;
  readonly idempotencyKey: string;
  /** Lines of `name: value`. */
  readonly headers: string;
}

/** An answer as the caller receives it. Its body is a view of the batch it came in. */
export interface LaneAnswer {
  readonly id: number;
  readonly status: number;
  readonly body: Buffer;
  readonly etag: string;
  readonly retryAfterS: number;
}

export interface DecodedCalls {
  readonly calls: LaneCall[];
  readonly cancelled: number[];
  readonly takenBytes: number;
}

export interface DecodedAnswers {
  readonly answers: LaneAnswer[];
  readonly takenBytes: number;
  readonly draining: boolean;
}

/** The bytes of a `CallBatch`; throws a RangeError when they are none. */
export function decodeCalls(bytes: Buffer): DecodedCalls {
  const reader = new LaneReader(bytes);
  const calls: LaneCall[] = [];
  const cancelled: number[] = [];
  let takenBytes = 0;
  while (reader.at < bytes.length) {
    const tag = reader.varint();
    if (tag === 0x0a) calls.push(decodeCall(reader));
    else if (tag === 0x10) cancelled.push(reader.varint());
    else if (tag === 0x12) for (const end = reader.end(); reader.at < end;) cancelled.push(reader.varint());
    else if (tag === 0x18) takenBytes = reader.varint();
    else reader.skip(tag);
  }
  return { calls, cancelled, takenBytes };
}

/** The bytes of an `AnswerBatch`; throws a RangeError when they are none. */
export function decodeAnswers(bytes: Buffer): DecodedAnswers {
  const reader = new LaneReader(bytes);
  const answers: LaneAnswer[] = [];
  let takenBytes = 0;
  let draining = false;
  while (reader.at < bytes.length) {
    const tag = reader.varint();
    if (tag === 0x0a) answers.push(decodeAnswer(reader));
    else if (tag === 0x10) takenBytes = reader.varint();
    else if (tag === 0x18) draining = reader.flag();
    else reader.skip(tag);
  }
  return { answers, takenBytes, draining };
}

/** Where a message has no body. */
const noBytes: Buffer = Buffer.alloc(0);

function decodeCall(reader: LaneReader): LaneCall {
  const end = reader.end();
  let id = 0;
  let operation = 0;
  let timeoutMs = 0;
  let collection = '';
  let record = '';
  let query = '';
  let body = noBytes;
  let credential = '';
  let requestId = '';
  let ifMatch = '';
  let ifNoneMatch = '';
  let idempotencyKey = '';
  let headers = '';
  while (reader.at < end) {
    const tag = reader.varint();
    // prettier-ignore
    switch (tag) {
      case 0x08: id = reader.varint(); break;
      case 0x10: operation = reader.varint(); break;
      case 0x18: timeoutMs = reader.varint(); break;
      case 0x22: collection = reader.text(); break;
      case 0x2a: record = reader.text(); break;
      case 0x32: query = reader.text(); break;
      case 0x3a: body = reader.bytes(); break;
      case 0x42: credential = reader.text(); break;
      case 0x4a: requestId = reader.text(); break;
      case 0x52: ifMatch = reader.text(); break;
      case 0x5a: ifNoneMatch = reader.text(); break;
      case 0x62: idempotencyKey = reader.text(); break;
      case 0x6a: headers = reader.text(); break;
      default: reader.skip(tag);
    }
  }
  reader.mustStandAt(end);
  return {
    id,
    operation: operation as Operation,
    timeoutMs,
    collection,
    record,
    query,
    body,
    credential,
    requestId,
    ifMatch,
    ifNoneMatch,
    idempotencyKey,
    headers,
  };
}

function decodeAnswer(reader: LaneReader): LaneAnswer {
  const end = reader.end();
  let id = 0;
  let status = 0;
  let body = noBytes;
  let etag = '';
  let retryAfterS = 0;
  while (reader.at < end) {
    const tag = reader.varint();
    // prettier-ignore
    switch (tag) {
      case 0x08: id = reader.varint(); break;
      case 0x10: status = reader.varint(); break;
      case 0x1a: body = reader.bytes(); break;
      case 0x22: etag = reader.text(); break;
      case 0x28: retryAfterS = reader.varint(); break;
      default: reader.skip(tag);
    }
  }
  reader.mustStandAt(end);
  return { id, status, body, etag, retryAfterS };
}
