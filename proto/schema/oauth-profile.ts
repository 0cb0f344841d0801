/** What a provider vouches for, as the store needs it. */
export interface OAuthProfile {
  /** The provider's name. */
  readonly provider: string;
  /** The provider's own id of the account. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider says that the address belongs to this account. */
  readonly isEmailVerified: boolean;
  readonly name: string | null;
}
