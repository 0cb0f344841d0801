import { z } from 'zod';

const systemFields = {
  id: z.string().meta({ description: 'Given by the client or made by the service (UUIDv7).', example: '0198c0de-7a11-7bbb-8ccc-0123456789ab' }),
  created_at: z.string().meta({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' }),
  updated_at: z.string().meta({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' }),
};

/** A record of any collection. */
export const RecordSchema = z
  .looseObject(systemFields)
  .meta({ id: 'Record', description: 'A record: the system fields, and those of its collection.' });

export const RecordInput = z
  .looseObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .meta({ description: 'On create only; made by the service when left out.' }),
  })
  .meta({ id: 'RecordInput', description: 'Values of the fields of the collection; unknown keys are ignored.', example: { title: 'Hello' } });

export const RecordList = z
  .object({
    page: z.int().min(1).nullable().meta({ description: 'Null where a cursor was given.', example: 1 }),
    perPage: z.int().min(1).max(500).meta({ example: 30 }),
    totalItems: z.int().min(-1).meta({ description: '-1 when totals were not asked for.', example: 1 }),
    totalPages: z.int().min(-1).meta({ example: 1 }),
    totalIsEstimate: z.boolean().optional().meta({ description: 'Above 10,000 matches the total is an estimate.' }),
    items: z.array(RecordSchema),
    nextCursor: z.string().nullable().meta({ description: 'What to send as cursor for the records that follow; null where there are none.' }),
    prevCursor: z.string().nullable().meta({ description: 'The same for those before.' }),
  })
  .meta({ id: 'RecordList', description: 'One page of records.' });

const fields = z.string().optional().meta({
  description: 'Names of the fields to answer with, separated by commas; dots lead into `expand` and into json, `*` is all of a level.',
  example: 'id,created_at',
});
const expand = z.string().optional().meta({
  description:
    'Records to show beside a record, under `expand`: relation paths separated by commas, such as `author.team`, or `comments_via_post` for those that point to it. Each must pass the view rule of its collection.',
});

/** How one record is to be shown. */
export const ShowQuery = z.object({ fields, expand });

export const ListQuery = z.object({
  page: z.int().min(1).optional().meta({ description: 'Default 1.', example: 1 }),
  perPage: z.int().min(1).optional().meta({ description: 'Default 30; above 500 is taken as 500.', example: 30 }),
  sort: z.string().optional().meta({
    description:
      'Names of fields, separated by commas, `-` in front for descending, or `@random`; dots lead through relations to one record. Default: newest first; ties are broken by id.',
    example: '-created_at',
  }),
  filter: z.string().optional().meta({
    description: 'An expression that the records must meet, such as `status = "open" && created > @monthStart`.',
    example: 'created > @yesterday',
  }),
  search: z.string().max(500).optional().meta({ description: 'Words to find in the text fields, as people write them: "a phrase", or, -without.' }),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'nextCursor or prevCursor of an answer to the same filter, sort and search; takes the place of page.' }),
  fields,
  expand,
  total: z.enum(['exact', 'none']).optional().meta({ description: 'exact: count all matches; none: do not count. Default: exact up to 10,000.' }),
  skipTotal: z.enum(['true', 'false']).optional().meta({ description: 'true is the same as total=none.' }),
});
