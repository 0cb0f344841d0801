import type { z } from 'zod';
import type { Fault } from '../errors/svc-error.ts';

/** One field of a collection: the keys that every field has, and the options of its type beside them. */
export interface Field {
  readonly id: string;
  readonly name: string;
  readonly type: FieldTypeName;
  readonly required: boolean;
  readonly unique: boolean;
  readonly hidden: boolean;
  /** True for what an auth collection has by itself: not in its definition's list of fields, and no caller's to change. */
  readonly system?: true;
  /** The JSON value a record gets when it is created without one; absent: null (arrays: []). */
  readonly default?: unknown;
  readonly options: FieldOptions;
}

export type FieldTypeName = 'text' | 'number' | 'bool' | 'email' | 'url' | 'date' | 'datetime' | 'json' | 'select' | 'relation';

/** The options of some field whose type is not known here; its type's own schema made them. */
export type FieldOptions = Readonly<Record<string, unknown>>;

/** A value that passed its field's checks. */
export interface FieldValue {
  /** The JSON text of the value as it stands in the record's document; `null` is written `null`. */
  readonly json: string;
  /** The text that Postgres casts to the column's type (lists: an array literal); null is SQL's null. */
  readonly sql: string | null;
}

/** A value as it came in: parsed, and its own JSON text where the type keeps it exactly. */
export interface FieldInput {
  readonly value: unknown;
  /** The compact JSON text of the value, as sent (insignificant white space removed). */
  readonly raw: () => string;
}

export type Checked = { readonly ok: true; readonly value: FieldValue } | { readonly ok: false; readonly fault: Fault };

/** What is wrong with one option of a definition; it stands in the error body under the option's path. */
export interface OptionProblem {
  readonly option: string;
  readonly reason: string;
}

/** What every field type says of itself. One type, one file in `types/`. */
export interface FieldType<Options> {
  readonly name: FieldTypeName;
  /** The options as they stand on the wire, with their defaults; each is checked by itself, unknown keys are refused. */
  readonly options: z.ZodObject;
  /** What is wrong with options that pass one by one, but not together. */
  problems(options: Options): readonly OptionProblem[];
  /** The Postgres type of the column, without collation, e.g. `text`, `double precision`, `text[]`; null where the values live in a join table. */
  column(options: Options): string | null;
  /** True where the value is a list: absent is `[]`, never null, and the column is `not null default '{}'`. */
  isList(options: Options): boolean;
  /** Checks one value that is not null, absent or (for lists) empty; normalises it. Compiled once per field. */
  checker(options: Options): (input: FieldInput) => Checked;
  /**
   * An SQL expression that makes the value's JSON (as type json) from the column expression `column`, equal to what
   * `checker` wrote; SQL's null where the column is null. For a join table `column` is an expression of type text[].
   */
  toJson(column: string, options: Options): string;
  /** The value's OpenAPI 3.0 schema, for answers. */
  schema(options: Options): Readonly<Record<string, unknown>>;
}
