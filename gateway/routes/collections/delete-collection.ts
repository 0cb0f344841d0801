import { PlanSchema } from '../../../proto/schema/collection.ts';
import { define, reply } from '../../endpoint/define.ts';
import { PlanQuery, readPlan } from './plan.ts';

export const deleteCollection = define({
  method: 'DELETE',
  path: '/api/svc/:name',
  operationId: 'deleteCollection',
  tag: 'Collections',
  scope: 'root',
  summary: 'Delete a collection',
  description: 'Drops the table with all its records.',
  query: PlanQuery,
  headers: ['Idempotency-Key'],
  answers: {
    200: { description: 'With `plan=true`: what would be done.', schema: PlanSchema },
    204: { description: 'The collection is gone.' },
  },
  errors: [
    'bad_query',
    'collection_not_found',
    'collection_protected',
    'collection_referenced',
    'rules_broken',
    'schema_moved',
    'write_conflict',
    'idempotency_mismatch',
    'schema_busy',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: async ({ collections }, request) => {
    const plan = readPlan(request.query);
    const body = await collections.delete(request, { name: request.params[0] ?? '', plan });
    return plan.only ? reply(200, body) : reply(204);
  },
});
