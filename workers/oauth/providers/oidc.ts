import type { OpenIdDeclaration } from '../declaration.ts';
import { OAuthError } from '../oauth-error.ts';
import { standardFacts } from '../standard-claims.ts';

/** Any issuer that publishes a discovery document (OpenID Connect Discovery 1.0). */
export const oidc: OpenIdDeclaration = {
  is: 'openid',
  scopes: ['openid', 'email', 'profile'],
  readsUserInfo: true,
  home: ({ title, issuer }) => {
    if (issuer === undefined) throw new OAuthError('misconfigured', `${title} needs an issuer.`);
    return { is: 'discovered', issuer };
  },
  facts: standardFacts,
};
