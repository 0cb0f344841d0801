import * as oauth from 'oauth4webapi';
import type { Clock } from '../../proto/values/time.ts';
import { OAuthError } from './oauth-error.ts';
import type { Provider } from './provider.ts';
import { appleClientSecret } from './providers/apple-client-secret.ts';

/**
 * How we prove to the token endpoint who asks. In the body where that is taken: in the header both halves are encoded first
 * (RFC 6749 section 2.3.1), which not every provider undoes. Who publishes no list takes the header (OpenID Connect Discovery section 3).
 */
export function clientAuthentication(server: oauth.AuthorizationServer, provider: Provider, clock: Clock): oauth.ClientAuth {
  if (provider.kind === 'apple') return oauth.ClientSecretPost(appleClientSecret(provider, clock));
  if (provider.clientSecret === '') return oauth.None();
  switch (provider.clientAuthentication ?? preferred(server)) {
    case 'post':
      return oauth.ClientSecretPost(provider.clientSecret);
    case 'basic':
      return oauth.ClientSecretBasic(provider.clientSecret);
    case 'none':
      throw new OAuthError('misconfigured', `${provider.title} takes no client secret.`);
  }
}

function preferred({
  token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
}: oauth.AuthorizationServer): 'basic' | 'post' | 'none' {
  if (methods.includes('client_secret_post')) return 'post';
  return methods.includes('client_secret_basic') ? 'basic' : 'none';
}
