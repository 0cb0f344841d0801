/** Who asks, once the credential has been judged. */
export type Principal = { readonly kind: 'guest' } | { readonly kind: 'admin' } | SignedIn;

/** A live session: of an account of some auth collection (`user`), or of `_rootUsers` (`root`). */
export interface SignedIn {
  readonly kind: 'user' | 'root';
  /** The auth collection's id and present name. */
  readonly collectionId: string;
  readonly collection: string;
  readonly id: string;
  readonly sessionId: string;
  /** The account's record as it is stored now, hidden fields included, its collection's name as `svc`: what `@request.auth` reads. */
  readonly account: Readonly<Record<string, unknown>>;
}

/** Root users and the admin key pass all rules. */
export function isPrivileged(principal: Principal): boolean {
  return principal.kind === 'admin' || principal.kind === 'root';
}

/** Tells principals apart, for what belongs to one of them. */
export function principalKey(principal: Principal): string {
  return principal.kind === 'guest' || principal.kind === 'admin' ? principal.kind : `${principal.collectionId}/${principal.id}`;
}
