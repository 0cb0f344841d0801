/** A piece of an expression. `position` counts characters (code points) from 1, as an error's reader does. */
export type Token =
  | { readonly kind: 'text'; readonly text: string; readonly position: number }
  | { readonly kind: 'number'; readonly value: number; readonly position: number }
  | { readonly kind: 'path'; readonly text: string; readonly position: number }
  | { readonly kind: 'mark'; readonly text: string; readonly position: number }
  | { readonly kind: 'end'; readonly position: number };
