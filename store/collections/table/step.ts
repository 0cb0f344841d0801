import type { Field } from '../../../proto/fields/field-type.ts';
import type { Sql } from '../../postgres/sql.ts';

/** One thing to do, in order. */
export type TableStep = StatementStep | CheckStep;

export interface StatementStep {
  readonly kind: 'statement';
  readonly statement: Sql;
  /** The field that the statement is about; an error of the statement is told as this one's. */
  readonly field?: Field | undefined;
  /** Present where the table is written anew. */
  readonly rewrites?: true;
  /** Present where those who only read the table may go on meanwhile. */
  readonly sparesReaders?: true;
}

/** A question about the stored records: a row in the answer refuses the change. */
export interface CheckStep {
  readonly kind: 'check';
  readonly question: Sql;
  readonly field: Field;
  /** The whole reason, as the caller is told it. */
  readonly reason: string;
}

export interface TableLock {
  readonly table: string;
  readonly mode: 'access exclusive' | 'share row exclusive';
}

/** Steps, and the locks to take before the first. */
export interface Work {
  readonly steps: readonly TableStep[];
  readonly locks: readonly TableLock[];
}

export function run(statement: Sql, field?: Field): StatementStep {
  return { kind: 'statement', statement, field };
}

/** A statement that keeps writers from the table, not readers: what it looks at may be long. */
export function runBesideReaders(statement: Sql, field?: Field): StatementStep {
  return { kind: 'statement', statement, field, sparesReaders: true };
}

/** A statement that writes a whole table anew. */
export function rewrite(statement: Sql, field: Field): StatementStep {
  return { kind: 'statement', statement, field, rewrites: true };
}

export function check(question: Sql, field: Field, reason: string): CheckStep {
  return { kind: 'check', question, field, reason };
}
