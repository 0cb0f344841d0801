import { z } from 'zod';
import { define, reply } from '../../endpoint/define.ts';

export const live = define({
  method: 'GET',
  path: '/livez',
  operationId: 'live',
  tag: 'System',
  scope: 'public',
  summary: 'Whether this process runs',
  answers: { 200: { description: 'It runs.', schema: z.object({ live: z.literal(true) }).meta({ id: 'Live' }) } },
  errors: [],
  handle: () => reply(200, '{"live":true}'),
});
