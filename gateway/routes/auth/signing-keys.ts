import { answered, define } from '../../endpoint/define.ts';
import { JwkSet } from './auth-schemas.ts';

export const showKeys = define({
  method: 'GET',
  path: '/.well-known/jwks.json',
  operationId: 'showKeys',
  tag: 'Accounts',
  scope: 'public',
  summary: 'The keys of tokens',
  description: 'For services that verify tokens themselves (RFC 7517). Whether a session is over they do not say.',
  answers: { 200: { description: 'The keys, the one that signs now first.', schema: JwkSet } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.showKeys(request)),
});

export const rotateKeys = define({
  method: 'POST',
  path: '/api/system/signing-keys',
  operationId: 'rotateKeys',
  tag: 'System',
  scope: 'root',
  summary: 'Sign with a new key',
  description: 'Tokens that were signed with the old keys stay good. It also happens by itself every 90 days.',
  answers: { 201: { description: 'The keys, the new one first.', schema: JwkSet } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.rotateKeys(request)),
});
