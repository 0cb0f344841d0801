import { define } from '../../endpoint/define.ts';
import { BulkQuery, BulkResult } from './bulk-schemas.ts';
import { RecordInput } from './record-schemas.ts';

export const updateMatching = define({
  method: 'PATCH',
  path: '/api/svc/:name/records',
  operationId: 'updateMatchingRecords',
  tag: 'Records',
  scope: 'rules',
  summary: 'Change all records that a filter matches',
  description: 'In one transaction, those only that the caller may update. Each is an event of its own.',
  query: BulkQuery,
  headers: ['Idempotency-Key'],
  body: RecordInput,
  answers: { 200: { description: 'How many there were.', schema: BulkResult } },
  errors: [
    'bad_query',
    'bad_filter',
    'too_many_affected',
    'collection_not_found',
    'record_not_found',
    'write_conflict',
    'idempotency_mismatch',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: ({ records }, request) => records.updateMatching(request),
});
