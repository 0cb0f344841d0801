import { CollectionSchema } from '../../../proto/schema/collection.ts';
import { define, reply } from '../../endpoint/define.ts';

export const getCollection = define({
  method: 'GET',
  path: '/api/svc/:name',
  operationId: 'getCollection',
  tag: 'Collections',
  scope: 'root',
  summary: 'Get one collection',
  description: 'Its schema, the options of its fields, and its access rules.',
  answers: { 200: { description: 'The collection.', schema: CollectionSchema } },
  errors: ['collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ collections }, request) => reply(200, await collections.get(request, request.params[0] ?? '')),
});
