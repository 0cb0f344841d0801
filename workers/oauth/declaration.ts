import type { AuthorizationServer } from 'oauth4webapi';
import type { Claims } from './answer.ts';
import type { Profile, ProfileFacts } from './profile.ts';
import type { Provider } from './provider.ts';
import type { Resources } from './resources.ts';

/** What a kind of provider says of itself; one file in `providers/` each. */
export type ProviderDeclaration = OpenIdDeclaration | OAuthDeclaration;

/** A provider that vouches by a signed token (OpenID Connect Core). */
export interface OpenIdDeclaration extends CommonDeclaration {
  readonly is: 'openid';
  /** Whether the userinfo endpoint knows more than the token. */
  readonly readsUserInfo: boolean;
  /** The issuer that a token with these claims, not yet checked, has to name; the server's own where this is left out. */
  issuerFor?(claims: Claims, provider: Provider): string;
  /** `user` is what the callback's form says of the person beside the code; nobody has signed it. */
  facts(claims: Claims, user: string | undefined): Omit<ProfileFacts, 'subject'>;
}

/** A provider that vouches by what its own interface answers to the bearer of the access token. */
export interface OAuthDeclaration extends CommonDeclaration {
  readonly is: 'oauth';
  readProfile(provider: Provider, resources: Resources): Promise<Profile>;
}

interface CommonDeclaration {
  /** Asked for unless the owner has said otherwise. */
  readonly scopes: readonly string[];
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  home(provider: Provider): Home;
}

/** Where the endpoints of a provider come from. */
export type Home = { readonly is: 'fixed'; readonly server: AuthorizationServer } | { readonly is: 'discovered'; readonly issuer: string };
