import { PasswordSignIn } from '../../../proto/schema/sign-in.ts';
import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

export const authWithPassword = define({
  method: 'POST',
  path: '/api/svc/:name/auth-with-password',
  operationId: 'authWithPassword',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Sign in with a password',
  description: 'At an auth collection, or at `_rootUsers`. Whatever is wrong, the refusal is the same.',
  body: PasswordSignIn,
  answers: { 200: { description: 'A token for the Authorization header, and who it is of.', schema: SignedIn } },
  errors: [
    'mfa_required',
    'wrong_credentials',
    'method_not_offered',
    'collection_not_found',
    'too_many_attempts',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: async ({ auth }, request) => answered(await auth.signInWithPassword(request)),
});
