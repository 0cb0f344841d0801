import { EmailChange, EmailInput, NewEmail, TokenInput } from '../../../proto/schema/sign-in.ts';
import { answered, define } from '../../endpoint/define.ts';

export const requestVerification = define({
  method: 'POST',
  path: '/api/svc/:name/request-verification',
  operationId: 'requestVerification',
  tag: 'Accounts',
  scope: 'rules',
  limits: 'auth',
  asksClient: true,
  summary: 'Ask for a link to verify an address',
  description:
    'Send the token of the account along, if there is one: verified by a link that a stranger asked for, an account loses the password and the ' +
    'sessions it had until then, because somebody else may have registered the address.',
  body: EmailInput,
  answers: { 204: { description: 'If there is such an account and it is not verified yet, a mail is on its way.' } },
  errors: ['collection_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.requestVerification(request)),
});

export const confirmVerification = define({
  method: 'POST',
  path: '/api/svc/:name/confirm-verification',
  operationId: 'confirmVerification',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Verify an address',
  description: 'By the token of the mail: once, within 30 minutes.',
  body: TokenInput,
  answers: { 204: { description: 'The account is verified.' } },
  errors: ['bad_token', 'collection_not_found', 'too_many_attempts', 'write_conflict', 'schema_busy', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.confirmVerification(request)),
});

export const requestEmailChange = define({
  method: 'POST',
  path: '/api/svc/:name/request-email-change',
  operationId: 'requestEmailChange',
  tag: 'Accounts',
  scope: 'rules',
  limits: 'auth',
  asksClient: true,
  summary: 'Ask for another address',
  description: 'A link goes to the new address, a notice to the present one. Sessions older than 10 minutes give the password again.',
  body: NewEmail,
  answers: { 204: { description: 'If nobody else has the address, a mail is on its way to it.' } },
  errors: ['collection_not_found', 'too_many_attempts', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.requestEmailChange(request)),
});

export const confirmEmailChange = define({
  method: 'POST',
  path: '/api/svc/:name/confirm-email-change',
  operationId: 'confirmEmailChange',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Confirm another address',
  description: 'By the token of the mail: once, within 30 minutes, while the session that asked lives. All sessions of the account end.',
  body: EmailChange,
  answers: { 204: { description: 'The account has the new address, and it is verified.' } },
  errors: ['bad_token', 'collection_not_found', 'too_many_attempts', 'write_conflict', 'schema_busy', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.confirmEmailChange(request)),
});
