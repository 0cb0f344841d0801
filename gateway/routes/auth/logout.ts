import { answered, define } from '../../endpoint/define.ts';

export const logout = define({
  method: 'POST',
  path: '/api/svc/:name/logout',
  operationId: 'logout',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Sign out',
  description: 'Ends the session of the token that is sent. From the answer on no node accepts it.',
  answers: { 204: { description: 'The session is over.' } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.signOut(request)),
});
