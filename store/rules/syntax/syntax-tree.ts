/** What the parser makes of a text: names not looked up, types not known. Positions are characters, counted from 1. */
export type SyntaxTree = GroupSyntax | ConditionSyntax;

/** No parts: the empty text, which every row passes. */
export interface GroupSyntax {
  readonly kind: 'all' | 'any';
  readonly parts: readonly SyntaxTree[];
}

/** Whether every row passes, because nothing is asked. */
export function isEmpty(tree: SyntaxTree): boolean {
  return tree.kind !== 'condition' && tree.parts.length === 0;
}

export interface ConditionSyntax {
  readonly kind: 'condition';
  readonly left: OperandSyntax;
  readonly operator: OperatorSyntax;
  readonly right: OperandSyntax;
  /** As it was written. */
  readonly source: string;
}

export interface OperatorSyntax {
  readonly symbol: OperatorSymbol;
  /** Written with `?`: one value that matches is enough. */
  readonly isAnyOf: boolean;
  readonly position: number;
}

export const operatorSymbols = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'] as const;
export type OperatorSymbol = (typeof operatorSymbols)[number];

export type OperandSyntax = TextSyntax | NumberSyntax | PathSyntax | CallSyntax;

export interface TextSyntax {
  readonly kind: 'text';
  readonly text: string;
  readonly position: number;
}

export interface NumberSyntax {
  readonly kind: 'number';
  readonly value: number;
  readonly position: number;
}

/** A name with dots; also `true`, `false`, `null`, `@request...`, `@collection...` and macros, which the check tells apart. */
export interface PathSyntax {
  readonly kind: 'path';
  readonly names: readonly string[];
  /** The word after the colon in `@collection.name:alias`. */
  readonly alias: string | undefined;
  /** The words after the last name's colons, such as `lower`. */
  readonly modifiers: readonly string[];
  readonly position: number;
}

export interface CallSyntax {
  readonly kind: 'call';
  readonly name: string;
  readonly given: readonly OperandSyntax[];
  readonly position: number;
}
