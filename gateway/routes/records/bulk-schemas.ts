import { z } from 'zod';
import { RecordInput, RecordSchema } from './record-schemas.ts';

const BatchWrite = z.object({
  method: z.enum(['POST', 'PATCH', 'DELETE']),
  path: z.string().meta({ description: 'The path of the write by itself; `url` means the same.', example: '/api/svc/posts/records' }),
  body: RecordInput.optional(),
});

export const BatchInput = z
  .object({ requests: z.array(BatchWrite).min(1).max(100) })
  .meta({ id: 'BatchInput', description: 'Up to 100 writes of records.' });

export const BatchResult = z
  .array(z.object({ status: z.int().meta({ example: 201 }), body: RecordSchema.nullable() }))
  .meta({ id: 'BatchResult', description: 'Status and body of each write.' });

export const BulkQuery = z.object({
  filter: z.string().meta({ description: 'Which records are meant. `id != ""` means all.', example: 'created < @yesterday' }),
  maxAffected: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: 'More matches than this, and nothing is changed. Default 1000.', example: 100 }),
  dryRun: z.enum(['true', 'false']).optional().meta({ description: 'true: change nothing and only count.' }),
});

export const BulkResult = z
  .object({
    affected: z.int().min(0).meta({ description: 'Records that match and that the caller may change.', example: 3 }),
    dryRun: z.literal(true).optional().meta({ description: 'Nothing was changed.' }),
  })
  .meta({ id: 'BulkResult', description: 'How many records a bulk change was about.' });
