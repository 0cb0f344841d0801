import { define } from '../../endpoint/define.ts';
import { BatchInput, BatchResult } from './bulk-schemas.ts';

export const batchRecords = define({
  method: 'POST',
  path: '/api/batch',
  operationId: 'batchRecords',
  tag: 'Records',
  scope: 'rules',
  summary: 'Write many records in one transaction',
  description:
    'All of the writes or none, in their order, under the rules of each. A later body may hold {"$ref": "0.id"} where the id of an earlier write belongs, a later path {0.id}.',
  headers: ['Idempotency-Key'],
  body: BatchInput,
  answers: { 200: { description: 'What each write would have answered by itself, in order.', schema: BatchResult } },
  errors: [
    'bad_query',
    'collection_not_found',
    'record_not_found',
    'record_exists',
    'delete_restricted',
    'last_root_user',
    'write_conflict',
    'too_many_attempts',
    'idempotency_mismatch',
    'unavailable',
    'timed_out',
  ],
  handle: ({ records }, request) => records.batch(request),
});
