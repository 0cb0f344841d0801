import { z } from 'zod';
import { CollectionPatch, CollectionSchema, PlanSchema } from '../../../proto/schema/collection.ts';
import { define, reply } from '../../endpoint/define.ts';
import { PlanQuery, readPlan } from './plan.ts';

export const updateCollection = define({
  method: 'PATCH',
  path: '/api/svc/:name',
  operationId: 'updateCollection',
  tag: 'Collections',
  scope: 'root',
  summary: 'Change a collection',
  description:
    'What is left out stays. `fields` is the whole new list: a known id with a new name renames the field and all that names it; entries missing from it are dropped.',
  query: PlanQuery,
  body: CollectionPatch,
  headers: ['Idempotency-Key'],
  answers: { 200: { description: 'The changed collection; with `plan=true`, what would be done.', schema: z.union([CollectionSchema, PlanSchema]) } },
  errors: [
    'bad_query',
    'collection_not_found',
    'collection_protected',
    'collection_exists',
    'idempotency_mismatch',
    'write_conflict',
    'rules_broken',
    'schema_moved',
    'data_conflict',
    'schema_busy',
    'unavailable',
    'timed_out',
  ],
  handle: async ({ collections }, request) => {
    const input = { name: request.params[0] ?? '', body: request.body, plan: readPlan(request.query) };
    return reply(200, await collections.update(request, input));
  },
});
