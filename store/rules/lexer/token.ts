/** A piece of an expression, and where it stands in the text: the index of its first unit, and that behind its last. */
export type Token = Piece & { readonly from: number; readonly to: number };

/** `position` counts characters (code points) from 1, as an error's reader does. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly position: number }
  | { readonly kind: 'number'; readonly value: number; readonly position: number }
  | { readonly kind: 'path'; readonly text: string; readonly position: number }
  | { readonly kind: 'mark'; readonly text: string; readonly position: number }
  | { readonly kind: 'end'; readonly position: number };
