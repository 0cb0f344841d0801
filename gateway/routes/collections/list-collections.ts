import { z } from 'zod';
import { CollectionSchema } from '../../../proto/schema/collection.ts';
import { define, reply } from '../../endpoint/define.ts';

export const listCollections = define({
  method: 'GET',
  path: '/api/svc',
  operationId: 'listCollections',
  tag: 'Collections',
  scope: 'root',
  summary: 'List all collections',
  answers: { 200: { description: 'Every collection, those of the system included.', schema: z.array(CollectionSchema) } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ collections }, request) => reply(200, await collections.list(request)),
});
