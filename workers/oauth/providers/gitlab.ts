import type { OpenIdDeclaration } from '../declaration.ts';
import { standardFacts } from '../standard-claims.ts';

/**
 * GitLab, its own or anybody's (docs.gitlab.com/integration/openid_connect_provider). The token has subject, address and whether that is
 * verified; names and picture are at the userinfo endpoint. By OpenID Connect rather than by `/api/v4/user`, whose `confirmed_at` says
 * that the account was confirmed once, and whose token could read more than a login needs.
 */
export const gitlab: OpenIdDeclaration = {
  is: 'openid',
  scopes: ['openid', 'email', 'profile'],
  readsUserInfo: true,
  home: ({ issuer = 'https://gitlab.com' }) => ({ is: 'discovered', issuer }),
  facts: standardFacts,
};
