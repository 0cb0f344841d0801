import type { OpenIdDeclaration } from '../declaration.ts';
import { standardFacts } from '../standard-claims.ts';

/** Google (developers.google.com/identity/openid-connect/reference). The token holds all that the userinfo endpoint knows. */
export const google: OpenIdDeclaration = {
  is: 'openid',
  scopes: ['openid', 'email', 'profile'],
  readsUserInfo: false,
  home: () => ({
    is: 'fixed',
    server: {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
  }),
  // The reference names both forms.
  issuerFor: ({ iss }) => (iss === 'accounts.google.com' ? iss : 'https://accounts.google.com'),
  facts: standardFacts,
};
