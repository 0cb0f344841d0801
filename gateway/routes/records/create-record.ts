import { define } from '../../endpoint/define.ts';
import { ShowQuery, RecordInput, RecordSchema } from './record-schemas.ts';

export const createRecord = define({
  method: 'POST',
  path: '/api/svc/:name/records',
  operationId: 'createRecord',
  tag: 'Records',
  scope: 'rules',
  limits: 'create',
  summary: 'Create a record',
  query: ShowQuery,
  headers: ['Idempotency-Key'],
  body: RecordInput,
  answers: { 201: { description: 'The new record.', schema: RecordSchema, headers: ['ETag'] } },
  errors: [
    'bad_query',
    'answer_too_large',
    'collection_not_found',
    'record_exists',
    'write_conflict',
    'idempotency_mismatch',
    'unavailable',
    'timed_out',
  ],
  handle: ({ records }, request) => records.create(request),
});
