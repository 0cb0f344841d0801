import { define } from '../../endpoint/define.ts';
import { ListQuery, RecordList } from './record-schemas.ts';

export const listRecords = define({
  method: 'GET',
  path: '/api/svc/:name/records',
  operationId: 'listRecords',
  tag: 'Records',
  scope: 'rules',
  limits: 'list',
  summary: 'List records',
  query: ListQuery,
  answers: { 200: { description: 'One page of the records that the caller may see.', schema: RecordList } },
  errors: ['bad_query', 'bad_filter', 'query_too_slow', 'answer_too_large', 'collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: ({ records }, request) => records.list(request),
});
