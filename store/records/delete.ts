import { fail, SvcError } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import type { Schema } from '../collections/catalogue.ts';
import { withSchema } from '../collections/with-schema.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { rootUsers } from '../principal/root-users.ts';
import { requireOtherRoot } from './account/other-accounts.ts';
import { alone } from './alone.ts';
import { deleteWithCascade } from './cascade/cascade.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import { requireMatch } from './entity-tag.ts';
import { lockStored } from './lock-stored.ts';
import { judgeOf, type Judge } from './rules/judge.ts';
import type { RecordShape } from './shape/shape.ts';
import { deleteShape } from './statements/delete.sql.ts';
import type { UpdateRequest } from './update.ts';
import { readAllowed, rowValues } from './view.ts';

/** A reference added while the delete ran makes it run again, this often. */
const attemptsMax = 3;
const deleted: RecordAnswer = { status: 204, body: '', etag: '' };

/** Deletes a record; records that refer to it are unlinked, deleted or forbid it, as their relation says. */
export async function deleteRecord(deps: RecordDeps, input: UpdateRequest): Promise<RecordAnswer> {
  const row = `${input.collection.toLowerCase()}/${input.id}`;
  return deps.rowQueue.run(
    row,
    () => input.isWanted,
    () => withSchema(deps.catalogue, (schema) => deleteUnder(deps, schema, input)),
  );
}

async function deleteUnder(deps: RecordDeps, schema: Schema, input: UpdateRequest): Promise<RecordAnswer> {
  const { shape, judge } = planDelete(deps, schema, input);
  const isPlain =
    shape.collection.id !== rootUsers.id && shape.references.length === 0 && input.idempotencyKey === '' && judge?.asksDatabase !== true;
  if (isPlain && (await deleteTogether(deps, shape, input, judge))) return deleted;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    try {
      return await deleteAlone(deps, schema, shape, input);
    } catch (error) {
      if (!isReferredMeanwhile(error)) throw error;
    }
  }
  return fail('write_conflict');
}

/** Deletes a record within `tx`, and what its references ask for. */
export async function deleteIn(deps: RecordDeps, tx: Transaction, schema: Schema, input: UpdateRequest): Promise<RecordAnswer> {
  const { shape, judge } = planDelete(deps, schema, input);
  if (judge !== undefined) await requireAllowed(tx, shape, input.id, judge);
  await requireOtherRoot(tx, shape, input.id);
  await deleteWithCascade(deps, tx, shape, input.id, (seq) => requireMatch(input.ifMatch, seq));
  return deleted;
}

function planDelete(deps: RecordDeps, schema: Schema, input: UpdateRequest): { readonly shape: RecordShape; readonly judge: Judge | undefined } {
  const shape = deps.shapes.named(schema, input.collection);
  const judge = judgeOf(deps, shape, {
    rule: 'deleteRule',
    principal: input.principal,
    request: { method: 'DELETE', query: input.query, headers: input.headers },
  });
  return recordIdPattern.test(input.id) ? { shape, judge } : fail('record_not_found');
}

/** The ordinary way, beside strangers' writes; false where the record was locked or moved on meanwhile. */
async function deleteTogether(deps: RecordDeps, shape: RecordShape, input: UpdateRequest, judge: Judge | undefined): Promise<boolean> {
  const { document, seq } = await readAllowed(deps, shape, { id: input.id, sight: 'public', judge });
  requireMatch(input.ifMatch, seq);
  const statement = shape.compiled.get('delete together', () => deleteShape(shape, 'together'));
  const outcome = await deps.database.writes.write(statement, [input.id, seq, document]);
  return outcome.kind === 'written';
}

function deleteAlone(deps: RecordDeps, schema: Schema, shape: RecordShape, input: UpdateRequest): Promise<RecordAnswer> {
  const request = { request: input, method: 'DELETE', path: `/api/svc/${shape.collection.id}/records/${input.id}` } as const;
  return alone(deps, shape, request, (tx) => deleteIn(deps, tx, schema, input));
}

/** The record as it is once it is locked must be one that the rule allows; those deleted with it are not asked. */
async function requireAllowed(tx: Transaction, shape: RecordShape, id: string, judge: Judge): Promise<void> {
  const { document } = await lockStored(tx, shape, id);
  const isAllowed = judge.asksDatabase
    ? (await judge.readAllowed((statement, values) => tx.execute(statement, values), { id, sight: 'public' })) !== undefined
    : judge.allows(rowValues(document));
  if (!isAllowed) fail('record_not_found');
}

function isReferredMeanwhile(error: unknown): boolean {
  return sqlState(error instanceof SvcError ? error.cause : error) === sqlStates.foreignKeyViolation;
}
