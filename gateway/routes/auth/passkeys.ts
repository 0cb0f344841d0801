import { z } from 'zod';
import { PasskeyAnswer, PasskeyOptions, Passkeys, PasskeySignIn, PasskeySignUp } from '../../../proto/schema/passkeys.ts';
import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

const refusals = ['method_not_offered', 'collection_not_found', 'schema_busy', 'unavailable', 'overloaded', 'timed_out'] as const;
const verifying = ['bad_query', 'too_many_attempts', 'write_conflict', ...refusals] as const;
const options = { 200: { description: 'Options for the browser.', schema: PasskeyOptions } };
const signedIn = { 200: { description: 'A token for the Authorization header, and who it is of.', schema: SignedIn } };

const passkeySignUpOptions = define({
  method: 'POST',
  path: '/api/svc/:name/passkey/signup/options',
  operationId: 'passkeySignUpOptions',
  tag: 'Accounts',
  scope: 'public',
  summary: 'Begin to sign up with a passkey',
  body: PasskeySignUp,
  answers: options,
  errors: refusals,
  handle: async ({ auth }, request) => answered(await auth.passkeySignUpOptions(request)),
});

const passkeySignUp = define({
  method: 'POST',
  path: '/api/svc/:name/passkey/signup/verify',
  operationId: 'passkeySignUp',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Sign up with a passkey',
  description: "Makes the account as a guest may, by the collection's create rule, and signs it in.",
  body: PasskeyAnswer,
  answers: signedIn,
  errors: ['passkey_refused', 'record_exists', ...verifying],
  handle: async ({ auth }, request) => answered(await auth.passkeySignUp(request)),
});

const passkeySignInOptions = define({
  method: 'POST',
  path: '/api/svc/:name/passkey/login/options',
  operationId: 'passkeySignInOptions',
  tag: 'Accounts',
  scope: 'public',
  summary: 'Begin to sign in with a passkey',
  body: PasskeySignIn,
  answers: options,
  errors: refusals,
  handle: async ({ auth }, request) => answered(await auth.passkeySignInOptions(request)),
});

const passkeySignIn = define({
  method: 'POST',
  path: '/api/svc/:name/passkey/login/verify',
  operationId: 'passkeySignIn',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'Sign in with a passkey',
  body: PasskeyAnswer,
  answers: signedIn,
  errors: ['passkey_refused', ...verifying],
  handle: async ({ auth }, request) => answered(await auth.signInWithPasskey(request)),
});

const addPasskeyOptions = define({
  method: 'POST',
  path: '/api/svc/:name/passkey/register/options',
  operationId: 'addPasskeyOptions',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Begin to add a passkey',
  answers: options,
  errors: refusals,
  handle: async ({ auth }, request) => answered(await auth.addPasskeyOptions(request)),
});

const addPasskey = define({
  method: 'POST',
  path: '/api/svc/:name/passkey/register/verify',
  operationId: 'addPasskey',
  tag: 'Accounts',
  scope: 'rules',
  asksClient: true,
  summary: 'Add a passkey',
  body: PasskeyAnswer,
  answers: { 200: { description: 'The passkey.', schema: z.object({ id: z.string(), name: z.string() }) } },
  errors: ['passkey_refused', ...verifying],
  handle: async ({ auth }, request) => answered(await auth.addPasskey(request)),
});

const listPasskeys = define({
  method: 'GET',
  path: '/api/svc/:name/passkeys',
  operationId: 'listPasskeys',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'List the passkeys of the account',
  answers: { 200: { description: 'The oldest first.', schema: Passkeys } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.listPasskeys(request)),
});

const removePasskey = define({
  method: 'DELETE',
  path: '/api/svc/:name/passkeys/:id',
  operationId: 'removePasskey',
  tag: 'Accounts',
  scope: 'rules',
  summary: 'Remove a passkey',
  answers: { 204: { description: 'It opens the account no more.' } },
  errors: ['passkey_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.removePasskey(request)),
});

export const passkeyEndpoints = [
  passkeySignUpOptions,
  passkeySignUp,
  passkeySignInOptions,
  passkeySignIn,
  addPasskeyOptions,
  addPasskey,
  listPasskeys,
  removePasskey,
] as const;
