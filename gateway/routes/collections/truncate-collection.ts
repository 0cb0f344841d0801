import { TruncatedSchema } from '../../../proto/schema/collection.ts';
import { define, reply } from '../../endpoint/define.ts';

export const truncateCollection = define({
  method: 'POST',
  path: '/api/svc/:name/truncate',
  operationId: 'truncateCollection',
  tag: 'Collections',
  scope: 'root',
  summary: 'Delete all records of a collection',
  description: 'The schema stays.',
  headers: ['Idempotency-Key'],
  answers: { 200: { description: 'How many records there were.', schema: TruncatedSchema } },
  errors: [
    'collection_not_found',
    'collection_protected',
    'data_conflict',
    'write_conflict',
    'idempotency_mismatch',
    'schema_busy',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: async ({ collections }, request) => reply(200, await collections.truncate(request, request.params[0] ?? '')),
});
