/** One provider as an owner has set it up; of each kind there may be several. */
export type Provider = SharedSecretProvider | AppleProvider;

export type ProviderKind = Provider['kind'];

export interface SharedSecretProvider extends ProviderSettings {
  readonly kind: 'google' | 'github' | 'microsoft' | 'gitlab' | 'discord' | 'oidc';
  readonly clientSecret: string;
}

export interface AppleProvider extends ProviderSettings {
  readonly kind: 'apple';
  /** The private key that Apple has issued (PKCS 8, PEM): what is sent as secret is signed with it. */
  readonly clientSecret: string;
  readonly teamId: string;
  readonly keyId: string;
}

interface ProviderSettings {
  /** What it goes by in addresses and in the accounts it vouches for. */
  readonly name: string;
  /** What people are shown. */
  readonly title: string;
  readonly clientId: string;
  /** Asked for instead of the scopes that its kind asks for. */
  readonly scopes?: readonly string[];
  /** `oidc`: whose discovery document is read. `gitlab`: the address of one's own. `microsoft`: the one tenant that may sign in. */
  readonly issuer?: string;
  /** Stand in for the endpoints of the kind or of its discovery document. */
  readonly authUrl?: string;
  readonly tokenUrl?: string;
  readonly userInfoUrl?: string;
  readonly jwksUrl?: string;
  /** Where the provider takes the secret, if it insists on one place; left out, its discovery document decides, the body before the header. */
  readonly clientAuthentication?: 'basic' | 'post';
}
