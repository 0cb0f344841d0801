import { fail } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import { withSchema } from '../collections/with-schema.ts';
import type { ReadShape } from '../postgres/read-coalescer.ts';
import { requireRule, sightOf } from './access.ts';
import type { RecordAnswer, RecordDeps, RecordRequest } from './deps.ts';
import { project, type Sight } from './shape/document.ts';
import { entityTag, isNamed } from './entity-tag.ts';
import { readFields } from './list-query.ts';
import { requireMembers } from './shape/members.ts';
import type { RecordShape } from './shape/shape.ts';
import { selectByIds } from './statements/read.sql.ts';

/** A record as it is stored now. */
export interface StoredRecord {
  readonly document: string;
  /** The record's version: the outbox `seq` of its last change. */
  readonly seq: string;
}

export interface ViewRequest extends RecordRequest {
  readonly id: string;
  /** The If-None-Match header, empty when absent. */
  readonly ifNoneMatch: string;
}

/** Answers one record. */
export async function viewRecord(deps: RecordDeps, input: ViewRequest): Promise<RecordAnswer> {
  const fields = readFields(input.query);
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    requireRule(shape, 'viewRule', input.principal);
    const sight = sightOf(shape, input.principal);
    requireMembers(shape, sight, 'fields', fields);
    const { document, seq } = await readStored(deps, shape, { id: input.id, sight });
    if (fields.length > 0) return { status: 200, body: project(document, fields), etag: '' };
    const etag = entityTag(shape, seq);
    return input.ifNoneMatch !== '' && isNamed(input.ifNoneMatch, etag) ? { status: 304, body: '', etag } : { status: 200, body: document, etag };
  });
}

/** Reads a record beside others of the same moment; fails with `record_not_found`. */
export async function readStored(
  deps: RecordDeps,
  shape: RecordShape,
  wanted: { readonly id: string; readonly sight: Sight },
): Promise<StoredRecord> {
  if (!recordIdPattern.test(wanted.id)) return fail('record_not_found');
  const row = await deps.database.reads.load(readShape(shape, wanted.sight), wanted.id);
  if (row === undefined) return fail('record_not_found');
  return { document: row[2] ?? '', seq: row[3] ?? '' };
}

function readShape(shape: RecordShape, sight: Sight): ReadShape {
  return shape.compiled.get(`read ${sight}`, () => ({ statement: selectByIds(shape, sight), version: shape.schema.version }));
}
