import { define } from '../../endpoint/define.ts';

export const deleteRecord = define({
  method: 'DELETE',
  path: '/api/svc/:name/records/:id',
  operationId: 'deleteRecord',
  tag: 'Records',
  scope: 'rules',
  limits: 'delete',
  summary: 'Delete a record',
  description: 'Records that refer to it follow the delete action of their relation.',
  headers: ['If-Match', 'Idempotency-Key'],
  answers: { 204: { description: 'The record is gone.' } },
  errors: [
    'collection_not_found',
    'record_not_found',
    'delete_restricted',
    'last_root_user',
    'precondition_failed',
    'write_conflict',
    'idempotency_mismatch',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: ({ records }, request) => records.delete(request),
});
