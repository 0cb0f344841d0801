import { fail, SvcError } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import type { Schema } from '../collections/catalogue.ts';
import { withSchema } from '../collections/with-schema.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import { requireRule } from './access.ts';
import { alone } from './alone.ts';
import { deleteWithCascade } from './cascade/cascade.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import { requireMatch } from './entity-tag.ts';
import type { RecordShape } from './shape/shape.ts';
import { deleteShape } from './statements/delete.sql.ts';
import type { UpdateRequest } from './update.ts';
import { readStored } from './view.ts';

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
  const shape = deps.shapes.named(schema, input.collection);
  requireRule(shape, 'deleteRule', input.principal);
  if (!recordIdPattern.test(input.id)) return fail('record_not_found');
  const isPlain = shape.references.length === 0 && input.idempotencyKey === '';
  if (isPlain && (await deleteTogether(deps, shape, input))) return deleted;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    try {
      return await deleteAlone(deps, shape, input);
    } catch (error) {
      if (!isReferredMeanwhile(error)) throw error;
    }
  }
  return fail('write_conflict');
}

/** The ordinary way, beside strangers' writes; false where the record was locked or moved on meanwhile. */
async function deleteTogether(deps: RecordDeps, shape: RecordShape, input: UpdateRequest): Promise<boolean> {
  const { document, seq } = await readStored(deps, shape, { id: input.id, sight: 'public' });
  requireMatch(input.ifMatch, seq);
  const statement = shape.compiled.get('delete together', () => deleteShape(shape, 'together'));
  const outcome = await deps.database.writes.write(statement, [input.id, seq, document]);
  return outcome.kind === 'written';
}

function deleteAlone(deps: RecordDeps, shape: RecordShape, input: UpdateRequest): Promise<RecordAnswer> {
  const request = { request: input, method: 'DELETE', path: `/api/svc/${shape.collection.name}/records/${input.id}` } as const;
  return alone(deps, shape, request, async (tx) => {
    await deleteWithCascade(deps, tx, shape, input.id, (seq) => requireMatch(input.ifMatch, seq));
    return deleted;
  });
}

function isReferredMeanwhile(error: unknown): boolean {
  return sqlState(error instanceof SvcError ? error.cause : error) === sqlStates.foreignKeyViolation;
}
