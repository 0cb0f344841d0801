import { define } from '../../endpoint/define.ts';
import { ShowQuery, RecordInput, RecordSchema } from './record-schemas.ts';

export const updateRecord = define({
  method: 'PATCH',
  path: '/api/svc/:name/records/:id',
  operationId: 'updateRecord',
  tag: 'Records',
  scope: 'rules',
  limits: 'update',
  summary: 'Change a record',
  description: 'What is left out stays. An update that changes nothing writes nothing.',
  query: ShowQuery,
  headers: ['If-Match', 'Idempotency-Key'],
  body: RecordInput,
  answers: { 200: { description: 'The changed record.', schema: RecordSchema, headers: ['ETag'] } },
  errors: [
    'bad_query',
    'answer_too_large',
    'collection_not_found',
    'record_not_found',
    'precondition_failed',
    'write_conflict',
    'too_many_attempts',
    'idempotency_mismatch',
    'unavailable',
    'timed_out',
  ],
  handle: ({ records }, request) => records.update(request),
});
