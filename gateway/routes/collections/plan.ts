import { z } from 'zod';
import { fail } from '../../../proto/errors/svc-error.ts';

/** The query parameters of every change of schema. */
export const PlanQuery = z.object({
  plan: z.enum(['true', 'false']).optional().meta({ description: 'true: change nothing, and answer what would be done.', example: 'false' }),
  planHash: z.string().min(1).max(256).optional().meta({ description: 'The hash of a plan; the change is refused if the schema has moved since.' }),
});

/** What the query asks for; fails with `bad_query` naming the parameter. */
export function readPlan(query: string): { readonly only: boolean; readonly hash: string } {
  if (query === '') return { only: false, hash: '' };
  const given = new URLSearchParams(query);
  for (const name of Object.keys(PlanQuery.shape)) if (given.getAll(name).length > 1) refuse(name, 'it is given twice');
  const parsed = PlanQuery.safeParse(Object.fromEntries(given));
  if (parsed.success) return { only: parsed.data.plan === 'true', hash: parsed.data.planHash ?? '' };
  const name = String(parsed.error.issues[0]?.path[0] ?? 'plan');
  return refuse(name, name === 'plan' ? 'it must be true or false' : 'it must be the hash of a plan');
}

function refuse(parameter: string, reason: string): never {
  return fail('bad_query', { values: { parameter, reason } });
}
