/** Who asks, once the credential has been judged. */
export type Principal = { readonly kind: 'guest' } | { readonly kind: 'admin' };
