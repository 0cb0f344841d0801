import { MfaSignIn, RecoveryCodes, TotpBegun, TotpCode } from '../../../proto/schema/mfa.ts';
import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

const away = ['collection_not_found', 'schema_busy', 'unavailable', 'overloaded', 'timed_out'] as const;

const beginTotp = define({
  method: 'POST',
  path: '/api/svc/:name/totp',
  operationId: 'beginTotp',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Begin to use an authenticator app',
  description: 'RFC 6238. It counts once it has been confirmed by a code.',
  answers: { 200: { description: 'The secret for the app.', schema: TotpBegun } },
  errors: ['totp_exists', ...away],
  handle: async ({ auth }, request) => answered(await auth.beginTotp(request)),
});

const confirmTotp = define({
  method: 'POST',
  path: '/api/svc/:name/totp/confirm',
  operationId: 'confirmTotp',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Confirm an authenticator app',
  body: TotpCode,
  answers: { 200: { description: 'The app is in use.', schema: RecoveryCodes } },
  errors: ['totp_exists', 'wrong_code', 'too_many_attempts', ...away],
  handle: async ({ auth }, request) => answered(await auth.confirmTotp(request)),
});

const removeTotp = define({
  method: 'POST',
  path: '/api/svc/:name/totp/remove',
  operationId: 'removeTotp',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Stop using an authenticator app',
  body: TotpCode,
  answers: { 204: { description: 'It is not asked for any more.' } },
  errors: ['wrong_code', 'too_many_attempts', ...away],
  handle: async ({ auth }, request) => answered(await auth.removeTotp(request)),
});

const authWithMfa = define({
  method: 'POST',
  path: '/api/svc/:name/auth-with-mfa',
  operationId: 'authWithMfa',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'End a sign-in with a second factor',
  description:
    'Where the collection has `auth.mfa` on, the first method answers 401 with `data.mfaId`. Send that here with a code of the app, or with any other way to sign in, in its body.',
  body: MfaSignIn,
  answers: { 200: { description: 'A token for the Authorization header, and who it is of.', schema: SignedIn } },
  errors: ['wrong_code', 'too_many_attempts', ...away],
  handle: async ({ auth }, request) => answered(await auth.signInWithMfa(request)),
});

const impersonate = define({
  method: 'POST',
  path: '/api/svc/:name/impersonate/:id',
  operationId: 'impersonate',
  tag: 'Accounts',
  scope: 'root',
  asksClient: true,
  summary: 'Sign in as somebody',
  description: 'For root and the admin key. The account sees the session in its list, as an impersonation.',
  answers: { 200: { description: 'A token for the Authorization header, and who it is of.', schema: SignedIn } },
  errors: ['record_not_found', ...away],
  handle: async ({ auth }, request) => answered(await auth.impersonate(request)),
});

export const mfaEndpoints = [beginTotp, confirmTotp, removeTotp, authWithMfa, impersonate] as const;
