import { fail } from '../../proto/errors/svc-error.ts';
import { Operation } from '../../proto/gen/svc/v1/lane.ts';
import type { Log } from '../../proto/process/log.ts';
import type { LaneCall } from '../../proto/rpc/lane-codec.ts';
import type { LaneClass } from '../../proto/rpc/lane-limits.ts';
import { RecordsService } from '../../proto/gen/svc/v1/records.ts';
import { LaneServer, type LaneContext, type LaneReply } from '../../proto/rpc/lane-server.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import { createRecord } from '../records/create.ts';
import { deleteRecord } from '../records/delete.ts';
import type { RecordDeps, RecordRequest } from '../records/deps.ts';
import { listRecords } from '../records/list.ts';
import { updateRecord } from '../records/update.ts';
import { viewRecord } from '../records/view.ts';
import type { WriteRequest } from '../records/write-request.ts';
import type { Credentials } from '../principal/credentials.ts';

/** What the records service stands on. */
export interface RecordsServiceDeps {
  readonly records: RecordDeps;
  readonly credentials: Credentials;
  readonly log: Pick<Log, 'error' | 'warn' | 'debug'>;
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
  [Operation.PING]: 'ping',
};

/** Reads, writes, and writes that may wait for a twin: each has its own limit. */
function classOf({ operation, idempotencyKey }: Pick<LaneCall, 'operation' | 'idempotencyKey'>): LaneClass {
  if (operation === Operation.VIEW_RECORD || operation === Operation.LIST_RECORDS) return 'read';
  return idempotencyKey === '' ? 'write' : 'slow';
}

function handle(deps: RecordsServiceDeps, call: LaneCall, context: LaneContext): Promise<LaneReply> {
  const operation = operationNames[call.operation];
  deps.onCall(operation);
  deps.log.debug({ requestId: call.requestId, operation, collection: call.collection }, 'call');
  switch (call.operation) {
    case Operation.VIEW_RECORD:
      return viewRecord(deps.records, { ...requestOf(deps, call, context), id: call.record, ifNoneMatch: call.ifNoneMatch });
    case Operation.LIST_RECORDS:
      return listRecords(deps.records, requestOf(deps, call, context));
    case Operation.CREATE_RECORD:
      return createRecord(deps.records, writeOf(deps, call, context));
    case Operation.UPDATE_RECORD:
      return updateRecord(deps.records, { ...writeOf(deps, call, context), id: call.record });
    case Operation.DELETE_RECORD:
      return deleteRecord(deps.records, { ...writeOf(deps, call, context), id: call.record });
    case Operation.UNSPECIFIED:
    case Operation.PING:
      return fail('route_not_found');
  }
}

function requestOf(deps: RecordsServiceDeps, call: LaneCall, context: LaneContext): RecordRequest {
  return {
    principal: deps.credentials.principalOf(call.credential),
    collection: call.collection,
    query: call.query,
    isWanted: () => !context.cancelled,
  };
}

function writeOf(deps: RecordsServiceDeps, call: LaneCall, context: LaneContext): WriteRequest {
  return { ...requestOf(deps, call, context), body: call.body, ifMatch: call.ifMatch, idempotencyKey: call.idempotencyKey };
}
