import { Operation } from '../../proto/gen/svc/v1/lane.ts';
import type { CallFields, PendingAnswer } from '../../proto/rpc/outgoing-call.ts';

/** What the records client is given of a request. */
export interface RecordCall {
  /** Collection, and record where there is one. */
  readonly params: readonly string[];
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

/** The record operations over the lanes to the stores. Answers are ready for the wire, also those that tell of a failure. */
export class RecordsClient {
  readonly #lanes: Lanes;

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
  }

  view(call: RecordCall): PendingAnswer {
    return this.#read(Operation.VIEW_RECORD, call);
  }

  list(call: RecordCall): PendingAnswer {
    return this.#read(Operation.LIST_RECORDS, call);
  }

  create(call: RecordCall): PendingAnswer {
    return this.#write(Operation.CREATE_RECORD, call);
  }

  update(call: RecordCall): PendingAnswer {
    return this.#write(Operation.UPDATE_RECORD, call);
  }

  delete(call: RecordCall): PendingAnswer {
    return this.#write(Operation.DELETE_RECORD, call);
  }

  /** Many writes in one transaction. */
  batch(call: RecordCall): PendingAnswer {
    return this.#writeMany(Operation.BATCH, call);
  }

  updateMatching(call: RecordCall): PendingAnswer {
    return this.#writeMany(Operation.UPDATE_MATCHING, call);
  }

  deleteMatching(call: RecordCall): PendingAnswer {
    return this.#writeMany(Operation.DELETE_MATCHING, call);
  }

  #read(operation: Operation, { params, query, credential, requestId, ifNoneMatch, headers }: RecordCall): PendingAnswer {
    return this.#lanes.call({
      operation,
      class: 'read',
      timeoutMs: readTimeoutMs,
      collection: params[0] ?? '',
      record: params[1] ?? '',
      query,
      credential,
      requestId,
      ifNoneMatch,
      headers,
    });
  }

  /** A write with a key may wait for its twin. */
  #write(operation: Operation, call: RecordCall): PendingAnswer {
    return this.#send({ operation, class: call.idempotencyKey === '' ? 'write' : 'slow', timeoutMs: writeTimeoutMs }, call);
  }

  #writeMany(operation: Operation, call: RecordCall): PendingAnswer {
    return this.#send({ operation, class: 'slow', timeoutMs: writeManyTimeoutMs }, call);
  }

  #send(how: Pick<CallFields, 'operation' | 'class' | 'timeoutMs'>, call: RecordCall): PendingAnswer {
    const { params, query, body, credential, requestId, ifMatch, idempotencyKey, headers } = call;
    return this.#lanes.call({
      ...how,
      collection: params[0] ?? '',
      record: params[1] ?? '',
      query,
      body,
      credential,
      requestId,
      ifMatch,
      idempotencyKey,
      headers,
    });
  }
}

/** A pool of lanes. */
export interface Lanes {
  call(fields: CallFields): PendingAnswer;
}

const readTimeoutMs = 15_000;
const writeTimeoutMs = 20_000;
const writeManyTimeoutMs = 60_000;
