import type { FieldTypeName } from '../../../proto/fields/field-type.ts';
import type { OperatorSymbol } from '../syntax/syntax-tree.ts';
import type { MacroName } from '../request/macros.ts';

/** An expression whose names are found and whose types fit. There is no negation: an operator's complement is an operator of its own. */
export type TypedTree =
  | { readonly kind: 'all'; readonly parts: readonly TypedTree[] }
  | { readonly kind: 'any'; readonly parts: readonly TypedTree[] }
  | TypedTest;

export interface TypedTest {
  readonly kind: 'test';
  readonly operator: OperatorSymbol;
  /** Of several values, which must match: `every` one, or `some` (written with `?`, or there is only one). */
  readonly quantifier: 'every' | 'some';
  readonly left: Operand;
  readonly right: Operand;
  /** What both sides are taken for. */
  readonly as: ComparedAs;
  readonly position: number;
}

/** `presence` asks only whether there is a value. */
export type ComparedAs = ValueType | 'presence';
export type ValueType = 'text' | 'number' | 'bool' | 'instant' | 'date';

/** `any` is a value of the request, which becomes what the other side is; `json` likewise, as far as the stored value allows. */
export type OperandType = ValueType | 'json' | 'any' | 'nothing';

export type Operand =
  | LiteralOperand
  | MacroOperand
  | RequestOperand
  | ChangedOperand
  | FieldOperand
  | LowerOperand
  | StrftimeOperand
  | DistanceOperand;

/** The text that Postgres casts; null is `null` and the empty text where they mean "no value". */
export interface LiteralOperand {
  readonly kind: 'literal';
  readonly type: ValueType | 'nothing';
  readonly text: string | null;
}

export interface MacroOperand {
  readonly kind: 'macro';
  readonly name: MacroName;
}

export type RequestPart = 'auth' | 'body' | 'query' | 'headers' | 'method' | 'context';

export interface RequestOperand {
  readonly kind: 'request';
  readonly part: RequestPart;
  readonly path: readonly string[];
  /** `each`: a list, one value after the other. */
  readonly form: 'value' | 'each' | 'length' | 'isset';
}

/** Whether the body brings another value than the record has. */
export interface ChangedOperand {
  readonly kind: 'changed';
  readonly field: FieldRef;
}

export interface FieldOperand {
  readonly kind: 'field';
  readonly row: Row;
  readonly field: FieldRef;
  /** Steps into a json field. */
  readonly path: readonly string[];
  readonly form: 'value' | 'each' | 'length';
}

export interface LowerOperand {
  readonly kind: 'lower';
  readonly of: Operand;
}

export interface StrftimeOperand {
  readonly kind: 'strftime';
  /** Pieces of the format: what stands as it is, and conversions such as `%Y`. */
  readonly format: readonly string[];
  readonly of: Operand;
  readonly shifts: readonly TimeShift[];
}

export type TimeShift =
  | { readonly kind: 'add'; readonly amount: number; readonly unit: 'seconds' | 'minutes' | 'hours' | 'days' }
  | { readonly kind: 'startOf'; readonly unit: 'day' | 'month' | 'year' };

/** The distance in kilometres of two points: longitude and latitude of each. */
export interface DistanceOperand {
  readonly kind: 'distance';
  readonly given: readonly [Operand, Operand, Operand, Operand];
}

/** A field as it is read: a system field has its name for an id. */
export interface FieldRef {
  readonly collectionId: string;
  readonly collection: string;
  readonly id: string;
  readonly name: string;
  readonly type: FieldTypeName;
  readonly place: 'column' | 'list' | 'links';
}

/** The row whose field is read. Equal keys are one and the same row for all conditions written with `?`. */
export type Row = { readonly kind: 'record' } | JoinedRow;

export interface JoinedRow {
  readonly kind: 'joined';
  readonly key: string;
  readonly collection: string;
  readonly collectionId: string;
  readonly step: Step;
  /** Whether there can be several of them for one record. */
  readonly isMany: boolean;
  /** What a row must pass to be seen; one that does not is as good as absent. */
  readonly guard?: TypedTree;
}

/** How a row is reached. */
export type Step =
  /** The record that the relation `field` of `from` points to. */
  | { readonly kind: 'forward'; readonly from: Row; readonly field: FieldRef }
  /** The records whose relation `field` points to `from`. */
  | { readonly kind: 'back'; readonly from: Row; readonly field: FieldRef }
  /** The record that a value of the request names; `field` tells how it relates. */
  | { readonly kind: 'request'; readonly part: RequestPart; readonly path: readonly string[]; readonly isList: boolean }
  /** Any record at all. */
  | { readonly kind: 'collection' };

/** The rows behind an operand, the outermost first. */
export function rowsOf(operand: Operand): readonly JoinedRow[] {
  switch (operand.kind) {
    case 'field':
      return rowsTo(operand.row);
    case 'lower':
    case 'strftime':
      return rowsOf(operand.of);
    case 'distance':
      return [...new Map(operand.given.flatMap(rowsOf).map((row) => [row.key, row])).values()];
    case 'literal':
    case 'macro':
    case 'request':
    case 'changed':
      return [];
  }
}

/** Whether the operand goes through the values of a list. */
export function isEach(operand: Operand): boolean {
  if (operand.kind === 'field' || operand.kind === 'request') return operand.form === 'each';
  return (operand.kind === 'lower' || operand.kind === 'strftime') && isEach(operand.of);
}

function rowsTo(row: Row): readonly JoinedRow[] {
  if (row.kind === 'record') return [];
  const { step } = row;
  return step.kind === 'forward' || step.kind === 'back' ? [...rowsTo(step.from), row] : [row];
}
