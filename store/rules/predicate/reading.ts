import type { RequestValues } from '../request/request-values.ts';

/** The fields of one row, by name, as parsed from its document; hidden ones included. */
export type RowValues = Readonly<Record<string, unknown>>;

/** What a predicate reads from. */
export interface Reading {
  readonly row: RowValues;
  readonly request: RequestValues;
  readonly now: Date;
}
