import { fail } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import { withSchema } from '../collections/with-schema.ts';
import type { ReadShape } from '../postgres/read-coalescer.ts';
import { sightOf } from './access.ts';
import type { RecordAnswer, RecordDeps, RecordRequest } from './deps.ts';
import { judgeOf, type Judge } from './rules/judge.ts';
import { documentText, rowOf, type Sight } from './shape/document.ts';
import { entityTag, isNamed } from './entity-tag.ts';
import { presentationOf } from './presentation/presentation.ts';
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
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const request = { method: 'GET', query: input.query, headers: input.headers } as const;
    const judge = judgeOf(deps, shape, { rule: 'viewRule', principal: input.principal, request });
    const presentation = presentationOf(deps, shape, input.principal, request);
    const { document, seq } = await readAllowed(deps, shape, { id: input.id, sight: sightOf(shape, input.principal), judge });
    if (presentation !== undefined) return { status: 200, body: (await presentation.show([document])).join(''), etag: '' };
    const etag = entityTag(shape, seq);
    return input.ifNoneMatch !== '' && isNamed(input.ifNoneMatch, etag) ? { status: 304, body: '', etag } : { status: 200, body: document, etag };
  });
}

/** Reads a record that `judge` allows; one that he does not is as absent as one that never was. */
export async function readAllowed(
  deps: RecordDeps,
  shape: RecordShape,
  wanted: { readonly id: string; readonly sight: Sight; readonly judge: Judge | undefined },
): Promise<StoredRecord> {
  const { id, sight, judge } = wanted;
  if (judge === undefined) return readStored(deps, shape, { id, sight });
  if (judge.asksDatabase) return readAllowedByDatabase(deps, { id, sight, judge });
  const stored = await readStored(deps, shape, { id, sight: judge.sight });
  if (!judge.allows(rowValues(stored.document))) return fail('record_not_found');
  return judge.sight === sight ? stored : { document: documentText(shape, rowOf(stored.document), sight), seq: stored.seq };
}

async function readAllowedByDatabase(
  deps: RecordDeps,
  { id, sight, judge }: { readonly id: string; readonly sight: Sight; readonly judge: Judge },
): Promise<StoredRecord> {
  if (!recordIdPattern.test(id)) return fail('record_not_found');
  const row = await judge.readAllowed((statement, values) => deps.database.query(statement, values), { id, sight });
  return row === undefined ? fail('record_not_found') : { document: row[2] ?? '', seq: row[3] ?? '' };
}

/** A stored document as rules read it. */
export function rowValues(document: string): Readonly<Record<string, unknown>> {
  return JSON.parse(document) as Record<string, unknown>;
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
