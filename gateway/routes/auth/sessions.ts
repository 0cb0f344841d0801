import { z } from 'zod';
import { answered, define } from '../../endpoint/define.ts';
import { Sessions } from './auth-schemas.ts';

const Whose = z.object({ record: z.string().optional().meta({ description: 'Whose sessions; for root and the admin key. Others see their own.' }) });

export const listSessions = define({
  method: 'GET',
  path: '/api/svc/:name/sessions',
  operationId: 'listSessions',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'List the sessions of an account',
  query: Whose,
  answers: { 200: { description: 'The sessions that are not over, newest first.', schema: Sessions } },
  errors: ['bad_query', 'collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.listSessions(request)),
});

export const endSession = define({
  method: 'DELETE',
  path: '/api/svc/:name/sessions/:id',
  operationId: 'endSession',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'End one session',
  description: 'From the answer on no node accepts its token.',
  query: Whose,
  answers: { 204: { description: 'The session is over.' } },
  errors: ['bad_query', 'collection_not_found', 'session_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.endSession(request)),
});

export const endSessions = define({
  method: 'DELETE',
  path: '/api/svc/:name/sessions',
  operationId: 'endSessions',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Sign out everywhere',
  description: 'Ends all sessions of the account, that of the token included.',
  query: Whose,
  answers: { 204: { description: 'All sessions are over.' } },
  errors: ['bad_query', 'collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.endSessions(request)),
});
