import type { OpenIdDeclaration } from '../declaration.ts';
import { isObject } from '../answer.ts';
import { isTrue } from '../standard-claims.ts';

/**
 * Sign in with Apple (developer.apple.com/documentation/signinwithapplerestapi). Its endpoints are fixed here because its discovery
 * document has named another issuer than its tokens do since June 2025. Whoever asks for a scope gets the callback as a POST.
 */
export const apple: OpenIdDeclaration = {
  is: 'openid',
  scopes: ['name', 'email'],
  authorizationParameters: { response_mode: 'form_post' },
  readsUserInfo: false,
  home: () => ({
    is: 'fixed',
    server: {
      issuer: 'https://appleid.apple.com',
      authorization_endpoint: 'https://appleid.apple.com/auth/authorize',
      token_endpoint: 'https://appleid.apple.com/auth/token',
      jwks_uri: 'https://appleid.apple.com/auth/keys',
    },
  }),
  facts: (claims, user) => ({
    email: claims['email'],
    isEmailVerified: isTrue(claims['email_verified']),
    name: nameOf(user),
    username: null,
    avatarUrl: null,
  }),
};

/** `{"name":{"firstName":"Ada","lastName":"Lovelace"},...}`, in the callback of the first sign-in only. The address beside it is signed by nobody. */
function nameOf(user: string | undefined): string | null {
  const name = user === undefined ? undefined : parsed(user)?.['name'];
  if (!isObject(name)) return null;
  return [name['firstName'], name['lastName']].filter((each) => typeof each === 'string').join(' ');
}

function parsed(user: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(user);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
