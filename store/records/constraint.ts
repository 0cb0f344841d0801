import { fail, fault, type Fault } from '../../proto/errors/svc-error.ts';
import { constraintOf, sqlState, sqlStates } from '../postgres/errors.ts';
import type { RecordShape } from './shape/shape.ts';

/** Postgres' limit for an entry of a btree index. */
const indexedBytesMax = 2_704;

/** Turns what a write alone met into what the caller is told; other errors pass unchanged. */
export function explainConstraint(shape: RecordShape, error: unknown): never {
  switch (sqlState(error) ?? '') {
    case sqlStates.uniqueViolation:
      return explainDuplicate(shape, constraintOf(error) ?? '', error);
    case sqlStates.foreignKeyViolation:
      return explainMissing(shape, constraintOf(error) ?? '', error);
    case sqlStates.programLimitExceeded:
      return explainTooLarge(shape, constraintOf(error) ?? '', error);
  }
  return explainWait(error);
}

/** Turns a wait that was given up into what the caller is told; other errors pass unchanged. */
export function explainWait(error: unknown): never {
  switch (sqlState(error) ?? '') {
    case sqlStates.lockNotAvailable:
    case sqlStates.queryCanceled:
      return fail('timed_out', {}, error);
    case sqlStates.deadlockDetected:
      return fail('write_conflict', {}, error);
  }
  throw error;
}

/** Whether the error is of a wait, which a transaction as a whole may try again. */
export function isWait(error: unknown): boolean {
  const state = sqlState(error);
  return state === sqlStates.lockNotAvailable || state === sqlStates.deadlockDetected || state === sqlStates.queryCanceled;
}

/** Names of constraints are made from ids: `ux_<field>`, `ix_<index>`; what is neither is the primary key. */
function explainDuplicate(shape: RecordShape, constraint: string, cause: unknown): never {
  const names = fieldsOfIndex(shape, constraint);
  if (names.length === 0) return fail('record_exists', { data: { id: fault('not_unique') } }, cause);
  return fail('validation_failed', { data: allWith(names, fault('not_unique')) }, cause);
}

function fieldsOfIndex(shape: RecordShape, constraint: string): readonly string[] {
  const field = shape.fields.find(({ field: { id } }) => constraint === `ux_${id}`);
  if (field !== undefined) return [field.name];
  const index = shape.collection.indexes.find(({ id }) => constraint === `ix_${id}`);
  return index?.fields.map(({ name }) => name) ?? [];
}

/** An indexed value must fit into a third of a page (2,704 bytes), a whole row without its long texts into one (8 kB). */
function explainTooLarge(shape: RecordShape, constraint: string, cause: unknown): never {
  const names = fieldsOfIndex(shape, constraint);
  const reason = 'The record holds more than one row of Postgres can: shorten its values or spread them over several collections.';
  if (names.length === 0) return fail('bad_request', { values: { reason } }, cause);
  return fail('validation_failed', { data: allWith(names, fault('too_many_bytes', { max: indexedBytesMax })) }, cause);
}

function explainMissing(shape: RecordShape, constraint: string, cause: unknown): never {
  const field = shape.fields.find(({ field: { id } }) => constraint.endsWith(`_${id}`));
  if (field === undefined) throw cause;
  const missing = fault('relation_not_found', { collection: field.target?.name ?? '' });
  return fail('validation_failed', { data: { [field.name]: missing } }, cause);
}

function allWith(names: readonly string[], one: Fault): Record<string, Fault> {
  return Object.fromEntries(names.map((name) => [name, one]));
}
