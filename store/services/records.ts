import { fail } from '../../proto/errors/svc-error.ts';
import { Operation } from '../../proto/gen/svc/v1/lane.ts';
import type { Log } from '../../proto/process/log.ts';
import type { LaneCall } from '../../proto/rpc/lane-codec.ts';
import type { LaneClass } from '../../proto/rpc/lane-limits.ts';
import { RecordsService } from '../../proto/gen/svc/v1/records.ts';
import { LaneServer, type LaneContext, type LaneReply } from '../../proto/rpc/lane-server.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import { batchRecords } from '../records/batch/batch.ts';
import { deleteMatching, updateMatching } from '../records/bulk/bulk.ts';
import { createRecord } from '../records/create.ts';
import { deleteRecord } from '../records/delete.ts';
import type { RecordDeps } from '../records/deps.ts';
import { listRecords } from '../records/list/list.ts';
import { updateRecord, type UpdateRequest } from '../records/update.ts';
import { viewRecord, type ViewRequest } from '../records/view.ts';
import type { Credentials } from '../principal/credentials.ts';
import type { Principal } from '../principal/principal.ts';

/** What the records service stands on. */
export interface RecordsServiceDeps {
  readonly records: RecordDeps;
  readonly credentials: Credentials;
  readonly log: Pick<Log, 'error' | 'warn' | 'debug'>;
  /** Whether a line is written for every call. */
  readonly isVerbose: boolean;
  readonly onCall: (operation: string) => void;
}

/** Adds the records service to `server`: every call of its lane goes to one use case. Answers the lane. */
export function addRecords(server: RpcServer, deps: RecordsServiceDeps): LaneServer {
  const lane = new LaneServer({ handle: (call, context) => handle(deps, call, context), classOf, log: deps.log });
  server.add(RecordsService, { pipe: lane });
  return lane;
}

const operationNames: Readonly<Record<Operation, string>> = {
  [Operation.UNSPECIFIED]: 'unspecified',
  [Operation.VIEW_RECORD]: 'view',
  [Operation.LIST_RECORDS]: 'list',
  [Operation.CREATE_RECORD]: 'create',
  [Operation.UPDATE_RECORD]: 'update',
  [Operation.DELETE_RECORD]: 'delete',
  [Operation.BATCH]: 'batch',
  [Operation.UPDATE_MATCHING]: 'update_matching',
  [Operation.DELETE_MATCHING]: 'delete_matching',
  [Operation.PING]: 'ping',
};

/** Reads, writes, and writes that may wait for a twin: each has its own limit. */
function classOf({ operation, idempotencyKey }: Pick<LaneCall, 'operation' | 'idempotencyKey'>): LaneClass {
  if (operation === Operation.VIEW_RECORD || operation === Operation.LIST_RECORDS) return 'read';
  return idempotencyKey === '' && !isLong(operation) ? 'write' : 'slow';
}

/** Writes of many records. */
function isLong(operation: Operation): boolean {
  return operation === Operation.BATCH || operation === Operation.UPDATE_MATCHING || operation === Operation.DELETE_MATCHING;
}

function handle(deps: RecordsServiceDeps, call: LaneCall, context: LaneContext): Promise<LaneReply> {
  const operation = operationNames[call.operation];
  deps.onCall(operation);
  if (deps.isVerbose) deps.log.debug({ requestId: call.requestId, operation, collection: call.collection }, 'call');
  const principal = deps.credentials.principalOf(call.credential);
  if (principal instanceof Promise) return principal.then((known) => serve(deps, new ServedRequest(known, call, context), call.operation));
  return serve(deps, new ServedRequest(principal, call, context), call.operation);
}

function serve(deps: RecordsServiceDeps, request: ServedRequest, operation: Operation): Promise<LaneReply> {
  switch (operation) {
    case Operation.VIEW_RECORD:
      return viewRecord(deps.records, request);
    case Operation.LIST_RECORDS:
      return listRecords(deps.records, request);
    case Operation.CREATE_RECORD:
      return createRecord(deps.records, request);
    case Operation.UPDATE_RECORD:
      return updateRecord(deps.records, request);
    case Operation.DELETE_RECORD:
      return deleteRecord(deps.records, request);
    case Operation.BATCH:
      return batchRecords(deps.records, request);
    case Operation.UPDATE_MATCHING:
      return updateMatching(deps.records, request);
    case Operation.DELETE_MATCHING:
      return deleteMatching(deps.records, request);
    case Operation.UNSPECIFIED:
    case Operation.PING:
      return fail('route_not_found');
  }
}

/** A call as the use cases take it; one small object, because the hot path makes one for every request. */
class ServedRequest implements UpdateRequest, ViewRequest {
  readonly principal: Principal;
  readonly #call: LaneCall;
  readonly #context: LaneContext;

  constructor(principal: Principal, call: LaneCall, context: LaneContext) {
    this.principal = principal;
    this.#call = call;
    this.#context = context;
  }

  get collection(): string {
    return this.#call.collection;
  }

  get id(): string {
    return this.#call.record;
  }

  get query(): string {
    return this.#call.query;
  }

  get body(): Buffer {
    return this.#call.body;
  }

  get ifMatch(): string {
    return this.#call.ifMatch;
  }

  get ifNoneMatch(): string {
    return this.#call.ifNoneMatch;
  }

  get idempotencyKey(): string {
    return this.#call.idempotencyKey;
  }

  get headers(): string {
    return this.#call.headers;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get isWanted(): boolean {
    return !this.#context.cancelled;
  }
}
