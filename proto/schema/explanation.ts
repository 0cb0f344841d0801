import { z } from 'zod';

const expression = z.string().max(4_096);

/** What is to be explained: a rule or that of an action, for somebody, on a record. */
export const ExplainInput = z
  .strictObject({
    rule: expression
      .nullable()
      .optional()
      .meta({ description: 'The rule as it might be saved; instead of action.', example: 'owner = @request.auth.id' }),
    action: z
      .enum(['list', 'view', 'create', 'update', 'delete', 'subscribe'])
      .optional()
      .meta({ description: 'The action whose rule the collection has; instead of rule.', example: 'view' }),
    as: z
      .strictObject({ svc: z.string(), id: z.string() })
      .nullable()
      .optional()
      .meta({ description: 'Who asks: the auth collection and the id of an account. Absent or null: a guest.' }),
    record: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The record as it would be stored, or what differs from the one of its id; nothing is stored.' }),
    recordId: z.string().optional().meta({ description: 'A record that there is; instead of record.' }),
    body: z.record(z.string(), z.unknown()).optional().meta({ description: 'What `@request.body` reads.' }),
    query: z.record(z.string(), z.string()).optional().meta({ description: 'What `@request.query` reads.' }),
    headers: z.record(z.string(), z.string()).optional().meta({ description: 'What `@request.headers` reads.' }),
    filter: expression.optional().meta({ description: 'The filter of the one who asks.' }),
  })
  .meta({ id: 'ExplainInput', description: 'What is to be explained.' });

export type ExplainInput = z.output<typeof ExplainInput>;

const PartSchema = z.object({
  source: z
    .string()
    .meta({ description: 'The condition as it was written; a group is written `all` or `any`.', example: 'owner = @request.auth.id' }),
  value: z.boolean().nullable().meta({ description: 'Whether it holds for the record; null where no record was given.' }),
  depth: z.int().min(0).meta({ description: 'How deep it stands in groups: what follows with a greater depth is inside.' }),
});

const verdict = z.boolean().nullable();

export const ExplanationSchema = z
  .object({
    rule: z.string().nullable(),
    state: z.enum(['locked', 'open', 'expression']).meta({ description: 'locked: root and the admin key only; open: everybody.' }),
    verdict: verdict.meta({ description: 'Whether the rule lets the record pass; null where that takes a record and none was given.' }),
    parts: z.array(PartSchema),
    failed: z.string().nullable().meta({ description: 'The first part that failed.' }),
    filter: z.string(),
    filterVerdict: verdict,
    filterParts: z.array(PartSchema),
    sql: z.string().nullable().meta({ description: 'The statement that finds the records which pass.' }),
    parameters: z.array(z.string().nullable()),
    plan: z.array(z.string()).meta({ description: 'How Postgres would carry it out.' }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Explanation', description: 'What a rule comes to for somebody and a record.' });

export type Explanation = z.output<typeof ExplanationSchema>;
