import type { RecordDeps } from '../records/deps.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import type { WriteRequest } from '../records/write-request.ts';

/** A write of an account that the service itself makes: no rule is asked, everything else is as for any write. */
export function serviceWrite(deps: Pick<RecordDeps, 'ids'>, shape: RecordShape, body: Readonly<Record<string, unknown>>): WriteRequest {
  return {
    principal: { kind: 'admin' },
    collection: shape.collection.name,
    query: '',
    headers: '',
    body: Buffer.from(JSON.stringify(body)),
    isWanted: true,
    requestId: deps.ids.request(),
    ifMatch: '',
    idempotencyKey: '',
  };
}
