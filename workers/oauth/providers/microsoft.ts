import type { Claims } from '../answer.ts';
import type { OpenIdDeclaration } from '../declaration.ts';
import { OAuthError } from '../oauth-error.ts';
import type { Provider } from '../provider.ts';
import { isTrue } from '../standard-claims.ts';

/**
 * Microsoft: Entra ID and personal accounts (learn.microsoft.com/entra/identity-platform). One address serves all tenants, and each
 * token names the issuer of its own tenant.
 */
export const microsoft: OpenIdDeclaration = {
  is: 'openid',
  scopes: ['openid', 'email', 'profile'],
  readsUserInfo: false,
  home: (provider) => {
    const { origin, tenant } = authorityOf(provider);
    const base = `${origin}/${tenant}`;
    return {
      is: 'fixed',
      server: {
        issuer: `${base}/v2.0`,
        authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
        token_endpoint: `${base}/oauth2/v2.0/token`,
        jwks_uri: `${base}/discovery/v2.0/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      },
    };
  },
  issuerFor: (claims, provider) => {
    const { origin, tenant } = authorityOf(provider);
    return `${origin}/${tenants.get(tenant)?.(claims) ?? tenant}/v2.0`;
  },
  facts: (claims) => ({
    email: claims['email'],
    isEmailVerified: isEmailVerified(claims),
    name: claims['name'],
    username: claims['preferred_username'],
    avatarUrl: null,
  }),
};

/**
 * The administrator of any tenant can give its accounts any address, so an address counts only when Microsoft says that the tenant owns
 * its domain (`xms_edov`, which an owner has to ask for), or when the account is a personal one.
 * See learn.microsoft.com/entra/identity-platform/migrate-off-email-claim-authorization.
 */
function isEmailVerified(claims: Claims): boolean {
  const edov = claims['xms_edov'];
  // A boolean by the reference; seen as 1 and "1" as well.
  return isTrue(edov) || edov === 1 || edov === '1' || claims['tid'] === personalTenant;
}

/** The tenant of all personal accounts (learn.microsoft.com/entra/identity-platform/id-token-claims-reference, `tid`). */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** What the tenant in the issuer has to be where the address names none. */
const tenants: ReadonlyMap<string, (claims: Claims) => string | undefined> = new Map([
  ['common', ownTenant],
  ['organizations', ownTenant],
  ['consumers', () => personalTenant],
]);

const tenantShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function ownTenant({ tid }: Claims): string | undefined {
  return typeof tid === 'string' && tenantShape.test(tid) ? tid : undefined;
}

/** Tenants go by their id alone: the issuer of a token never has their domain in it. */
function authorityOf({ title, issuer = 'https://login.microsoftonline.com/common/v2.0' }: Provider): { origin: string; tenant: string } {
  const [, origin, tenant] = /^(https:\/\/[^/]+)\/([^/]+?)(?:\/v2\.0)?\/?$/.exec(issuer) ?? [];
  if (origin !== undefined && tenant !== undefined && (tenants.has(tenant) || tenantShape.test(tenant))) return { origin, tenant };
  throw new OAuthError('misconfigured', `${title} needs an issuer of the form https://login.microsoftonline.com/<id of the tenant>/v2.0.`);
}
