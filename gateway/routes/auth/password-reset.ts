import { EmailInput, PasswordReset } from '../../../proto/schema/sign-in.ts';
import { answered, define } from '../../endpoint/define.ts';

export const requestPasswordReset = define({
  method: 'POST',
  path: '/api/svc/:name/request-password-reset',
  operationId: 'requestPasswordReset',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Ask for a link to choose a new password',
  description: 'Mailed to the account of the address, where there is one. The answer is the same either way.',
  body: EmailInput,
  answers: { 204: { description: 'If there is such an account, a mail is on its way.' } },
  errors: ['method_not_offered', 'collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.requestPasswordReset(request)),
});

export const confirmPasswordReset = define({
  method: 'POST',
  path: '/api/svc/:name/confirm-password-reset',
  operationId: 'confirmPasswordReset',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Choose a new password',
  description: 'By the token of the mail: once, within 30 minutes. All sessions of the account end.',
  body: PasswordReset,
  answers: { 204: { description: 'The account has the new password.' } },
  errors: ['bad_token', 'collection_not_found', 'too_many_attempts', 'write_conflict', 'schema_busy', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.confirmPasswordReset(request)),
});
