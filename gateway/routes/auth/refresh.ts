import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

export const refresh = define({
  method: 'POST',
  path: '/api/svc/:name/refresh',
  operationId: 'refresh',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Get a fresh token',
  description:
    'The session goes on with a new token. The old one is good for 10 seconds more, so that parallel requests and refreshes succeed; ' +
    'whoever refreshes with it after that ends the session, because two parties have the same token.',
  answers: { 200: { description: 'The new token, and the account as it is now.', schema: SignedIn } },
  errors: ['collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.refresh(request)),
});
