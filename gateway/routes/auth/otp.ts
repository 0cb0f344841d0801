import { EmailInput, OtpAsked, OtpSignIn } from '../../../proto/schema/sign-in.ts';
import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

export const requestOtp = define({
  method: 'POST',
  path: '/api/svc/:name/otp/request',
  operationId: 'requestOtp',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Ask for a code by e-mail',
  description:
    'Six digits, good for 10 minutes and 5 attempts; a new one takes the place of the last. Where there is no account of the address one is ' +
    'made, if the create rule lets guests do that. An address gets at most 6 codes an hour and 18 a day. The answer is always the same.',
  body: EmailInput,
  answers: { 200: { description: 'If it may be, a mail is on its way.', schema: OtpAsked } },
  errors: ['method_not_offered', 'collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.requestOtp(request)),
});

export const authWithOtp = define({
  method: 'POST',
  path: '/api/svc/:name/auth-with-otp',
  operationId: 'authWithOtp',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Sign in with a code',
  description: 'The address counts as verified from then on.',
  body: OtpSignIn,
  answers: { 200: { description: 'A token for the Authorization header, and who it is of.', schema: SignedIn } },
  errors: [
    'mfa_required',
    'wrong_code',
    'method_not_offered',
    'collection_not_found',
    'too_many_attempts',
    'write_conflict',
    'schema_busy',
    'unavailable',
    'overloaded',
    'timed_out',
  ],
  handle: async ({ auth }, request) => answered(await auth.signInWithOtp(request)),
});
