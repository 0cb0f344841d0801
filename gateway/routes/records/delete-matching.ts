import { define } from '../../endpoint/define.ts';
import { BulkQuery, BulkResult } from './bulk-schemas.ts';

export const deleteMatching = define({
  method: 'DELETE',
  path: '/api/svc/:name/records',
  operationId: 'deleteMatchingRecords',
  tag: 'Records',
  scope: 'rules',
  summary: 'Delete all records that a filter matches',
  description: 'In one transaction, those only that the caller may delete. Each is an event of its own.',
  query: BulkQuery,
  headers: ['Idempotency-Key'],

  answers: { 200: { description: 'How many there were.', schema: BulkResult } },
  errors: [
    'bad_query',
    'bad_filter',
    'too_many_affected',
    'collection_not_found',
    'record_not_found',
    'delete_restricted',
    'last_root_user',
    'write_conflict',
    'idempotency_mismatch',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: ({ records }, request) => records.deleteMatching(request),
});
