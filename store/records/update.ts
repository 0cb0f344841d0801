import { fail, fault } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import { parseJson } from '../../proto/values/json.ts';
import { wireTime } from '../../proto/values/time.ts';
import type { Schema } from '../collections/catalogue.ts';
import { withSchema } from '../collections/with-schema.ts';
import { requireRule, sightOf } from './access.ts';
import { alone, writeIn } from './alone.ts';
import { changeOf, compiledUpdate, type Change } from './change.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import { documentText, type Row } from './shape/document.ts';
import { entityTag, requireMatch } from './entity-tag.ts';
import { lockStored } from './lock-stored.ts';
import type { RecordShape } from './shape/shape.ts';
import { recordBody, valuesForUpdate, type FieldValues, type RecordBody } from './shape/validate.ts';
import { readStored, type StoredRecord } from './view.ts';
import type { WriteRequest } from './write-request.ts';

export interface UpdateRequest extends WriteRequest {
  readonly id: string;
}

/** Changes the fields that the body names; what the body leaves out stays. An update that changes nothing writes nothing. */
export async function updateRecord(deps: RecordDeps, input: UpdateRequest): Promise<RecordAnswer> {
  const body = recordBody(parseJson(input.body));
  const row = `${input.collection.toLowerCase()}/${input.id}`;
  return deps.rowQueue.run(
    row,
    () => input.isWanted,
    () => withSchema(deps.catalogue, (schema) => updateUnder(deps, schema, input, body)),
  );
}

async function updateUnder(deps: RecordDeps, schema: Schema, input: UpdateRequest, body: RecordBody): Promise<RecordAnswer> {
  const shape = deps.shapes.named(schema, input.collection);
  requireRule(shape, 'updateRule', input.principal);
  if (!recordIdPattern.test(input.id)) fail('record_not_found');
  requireSameId(input, body);
  const values = valuesForUpdate(shape, body);
  const together = input.idempotencyKey === '' ? await updateTogether(deps, shape, input, values) : undefined;
  if (together !== undefined) return together;
  const request = { request: input, method: 'PATCH', path: `/api/svc/${shape.collection.name}/records/${input.id}` } as const;
  return alone(deps, shape, request, async (tx) => {
    const change = plannedChange(deps, shape, input, values, await lockStored(tx, shape, input.id));
    if (change.changed.length === 0) return unchanged(shape, input, change);
    const [seq = ''] = await writeIn(tx, compiledUpdate(shape, change.changed, 'alone'), [change.member]);
    return updated(shape, input, change.after, seq);
  });
}

/** The ordinary way, beside strangers' writes; undefined where the record was locked or moved on meanwhile. */
async function updateTogether(deps: RecordDeps, shape: RecordShape, input: UpdateRequest, values: FieldValues): Promise<RecordAnswer | undefined> {
  const stored = await readStored(deps, shape, { id: input.id, sight: 'full' });
  const change = plannedChange(deps, shape, input, values, stored);
  if (change.changed.length === 0) return unchanged(shape, input, change);
  const outcome = await deps.database.writes.write(compiledUpdate(shape, change.changed, 'together'), change.member);
  return outcome.kind === 'written' ? updated(shape, input, change.after, outcome.seq) : undefined;
}

function plannedChange(deps: RecordDeps, shape: RecordShape, input: UpdateRequest, values: FieldValues, stored: StoredRecord): Change {
  requireMatch(input.ifMatch, stored.seq);
  return changeOf(shape, stored, values, wireTime(deps.clock.now()));
}

function unchanged(shape: RecordShape, input: UpdateRequest, change: Change): RecordAnswer {
  return updated(shape, input, change.before, change.member[1] ?? '');
}

function updated(shape: RecordShape, input: UpdateRequest, row: Row, seq: string): RecordAnswer {
  return { status: 200, body: documentText(shape, row, sightOf(shape, input.principal)), etag: entityTag(shape, seq) };
}

function requireSameId(input: UpdateRequest, body: RecordBody): void {
  const given = Object.hasOwn(body.members, 'id') ? body.members['id'] : input.id;
  if (given !== input.id) fail('validation_failed', { data: { id: fault('not_changeable', { reason: 'The id of a record never changes.' }) } });
}
