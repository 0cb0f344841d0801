import { z } from 'zod';
import { fail } from '../../../proto/errors/svc-error.ts';
import { define, reply } from '../../endpoint/define.ts';

export const ready = define({
  method: 'GET',
  path: '/readyz',
  operationId: 'ready',
  tag: 'System',
  scope: 'public',
  summary: 'Whether this process should be given requests',
  answers: { 200: { description: 'It should.', schema: z.object({ ready: z.literal(true) }).meta({ id: 'Ready' }) } },
  errors: ['unavailable', 'draining'],
  handle: ({ readiness }) => {
    const now = readiness.current();
    if (now.ready) return reply(200, '{"ready":true}');
    return fail(now.isDraining ? 'draining' : 'unavailable');
  },
});
