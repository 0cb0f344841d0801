import { RootSetup, SetupLink, SetupState } from '../../../proto/schema/sign-in.ts';
import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

export const showSetup = define({
  method: 'GET',
  path: '/api/setup',
  operationId: 'showSetup',
  tag: 'System',
  scope: 'public',
  summary: 'Ask whether there is a root user',
  answers: { 200: { description: 'Whether one must be made.', schema: SetupState } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.showSetup(request)),
});

export const setUp = define({
  method: 'POST',
  path: '/api/setup',
  operationId: 'setUp',
  tag: 'System',
  scope: 'rules',
  asksClient: true,
  summary: 'Make the first root user',
  description: 'With the admin key, or with the token of the link that is printed at the first start.',
  body: RootSetup,
  answers: { 200: { description: 'It is there, and signed in.', schema: SignedIn } },
  errors: ['bad_token', 'setup_done', 'too_many_attempts', 'write_conflict', 'schema_busy', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.setUp(request)),
});

export const makeSetupLink = define({
  method: 'POST',
  path: '/api/setup/link',
  operationId: 'makeSetupLink',
  tag: 'System',
  scope: 'root',
  summary: 'Make a link by which the first root user can be made',
  answers: { 201: { description: 'The link.', schema: SetupLink } },
  errors: ['setup_done', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.makeSetupLink(request)),
});
