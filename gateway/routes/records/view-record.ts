import { define } from '../../endpoint/define.ts';
import { ShowQuery, RecordSchema } from './record-schemas.ts';

export const viewRecord = define({
  method: 'GET',
  path: '/api/svc/:name/records/:id',
  operationId: 'viewRecord',
  tag: 'Records',
  scope: 'rules',
  limits: 'view',
  summary: 'View one record',
  query: ShowQuery,
  headers: ['If-None-Match'],
  answers: {
    200: { description: 'The record.', schema: RecordSchema, headers: ['ETag'] },
    304: { description: 'The record is still the one that If-None-Match names.' },
  },
  errors: ['bad_query', 'answer_too_large', 'collection_not_found', 'record_not_found', 'query_too_slow', 'unavailable', 'overloaded', 'timed_out'],
  handle: ({ records }, request) => records.view(request),
});
