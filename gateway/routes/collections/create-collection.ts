import { CollectionInput, CollectionSchema, PlanSchema } from '../../../proto/schema/collection.ts';
import { define, reply } from '../../endpoint/define.ts';
import { PlanQuery, readPlan } from './plan.ts';

export const createCollection = define({
  method: 'POST',
  path: '/api/svc',
  operationId: 'createCollection',
  tag: 'Collections',
  scope: 'root',
  summary: 'Create a collection',
  description: 'Makes the collection and the table behind it, together or not at all.',
  query: PlanQuery,
  body: CollectionInput,
  headers: ['Idempotency-Key'],
  answers: {
    200: { description: 'With `plan=true`: what would be done.', schema: PlanSchema },
    201: { description: 'The new collection.', schema: CollectionSchema },
  },
  errors: [
    'bad_query',
    'collection_exists',
    'schema_moved',
    'data_conflict',
    'write_conflict',
    'idempotency_mismatch',
    'schema_busy',
    'unavailable',
    'timed_out',
  ],
  handle: async ({ collections }, request) => {
    const plan = readPlan(request.query);
    return reply(plan.only ? 200 : 201, await collections.create(request, { body: request.body, plan }));
  },
});
