import { z } from 'zod';
import { AuthMethods, OAuthSignIn, OAuthStarted } from '../../../proto/schema/oauth-sign-in.ts';
import { answered, define } from '../../endpoint/define.ts';
import { SignedIn } from './auth-schemas.ts';

const away = ['schema_busy', 'unavailable', 'overloaded', 'timed_out'] as const;

const showAuthMethods = define({
  method: 'GET',
  path: '/api/svc/:name/auth-methods',
  operationId: 'showAuthMethods',
  tag: 'Accounts',
  scope: 'public',
  summary: 'List the ways to sign in',
  answers: { 200: { description: 'What the collection offers.', schema: AuthMethods } },
  errors: ['collection_not_found', ...away],
  handle: async ({ auth }, request) => answered(await auth.showAuthMethods(request)),
});

const startOAuth = define({
  method: 'GET',
  path: '/api/svc/:name/oauth2/:provider',
  operationId: 'startOAuth',
  tag: 'Accounts',
  scope: 'public',
  summary: 'Sign in at a provider',
  description:
    'For a browser: it goes to the provider and comes back to redirectUrl with `#code=` (good once, for 60 seconds), or `#error=`. Register `<this address>/callback` with the provider.',
  query: z.object({
    redirectUrl: z.string().meta({ description: 'One of auth.oauth2.redirectUrls of the collection.' }),
    codeChallenge: z.string().meta({ description: 'The base64url text of the SHA-256 of a verifier that the client keeps (RFC 7636).' }),
    codeChallengeMethod: z.enum(['S256']).optional(),
  }),
  answers: {
    200: { description: 'With `Accept: application/json`: where to send the browser.', schema: OAuthStarted },
    302: { description: 'To the provider.' },
  },
  errors: ['bad_query', 'method_not_offered', 'provider_not_found', 'oauth_refused', 'collection_not_found', ...away],
  handle: async ({ auth }, request) => answered(await auth.startOAuth(request)),
});

const finishOAuth = define({
  method: 'GET',
  path: '/api/svc/:name/oauth2/:provider/callback',
  operationId: 'finishOAuth',
  tag: 'Accounts',
  scope: 'public',
  asksClient: true,
  summary: 'Come back from a provider',
  description: 'The address to register with the provider. It is for the browser that began.',
  isDocumented: false,
  query: z.object({ code: z.string().optional(), state: z.string().optional(), error: z.string().optional() }),
  answers: { 302: { description: 'To redirectUrl, with `#code=` (good once, for 60 seconds) or `#error=`.' } },
  errors: ['oauth_refused', 'provider_not_found', 'collection_not_found', 'too_many_attempts', 'write_conflict', ...away],
  handle: async ({ auth }, request) => answered(await auth.finishOAuth(request)),
});

/** Apple comes back by a form. */
const finishOAuthByForm = define({
  ...finishOAuth,
  method: 'POST',
  operationId: 'finishOAuthByForm',
  takesForm: true,
  body: z.looseObject({ code: z.string().optional(), state: z.string().optional() }),
});

const authWithOAuth = define({
  method: 'POST',
  path: '/api/svc/:name/auth-with-oauth2',
  operationId: 'authWithOAuth2',
  tag: 'Accounts',
  scope: 'public',
  limits: 'auth',
  asksClient: true,
  summary: 'End a social login',
  body: OAuthSignIn,
  answers: { 200: { description: 'A token for the Authorization header, and who it is of.', schema: SignedIn } },
  errors: ['mfa_required', 'oauth_refused', 'method_not_offered', 'collection_not_found', 'too_many_attempts', ...away],
  handle: async ({ auth }, request) => answered(await auth.signInWithOAuth(request)),
});

export const oauthEndpoints = [showAuthMethods, startOAuth, finishOAuth, finishOAuthByForm, authWithOAuth] as const;
