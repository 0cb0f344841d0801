import { fail, fault } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import { parseJson } from '../../proto/values/json.ts';
import { wireTime } from '../../proto/values/time.ts';
import { withSchema } from '../collections/with-schema.ts';
import type { WriteMember, WriteShape } from '../postgres/write-coalescer.ts';
import { sightOf } from './access.ts';
import { alone, writeIn } from './alone.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import { judgeOf } from './rules/judge.ts';
import { documentText, type Row } from './shape/document.ts';
import { valuesOfRow } from './shape/row-values.ts';
import { entityTag } from './entity-tag.ts';
import type { RecordShape } from './shape/shape.ts';
import { insertShape } from './statements/insert.sql.ts';
import type { Company } from './statements/write-columns.sql.ts';
import { recordBody, valuesForCreate, type FieldValues, type RecordBody } from './shape/validate.ts';
import type { WriteRequest } from './write-request.ts';

/** Creates a record with its row of the log. */
export async function createRecord(deps: RecordDeps, input: WriteRequest): Promise<RecordAnswer> {
  const body = recordBody(parseJson(input.body));
  const id = givenId(body) ?? deps.ids.record();
  const at = wireTime(deps.clock.now());
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const asked = { method: 'POST', query: input.query, body: body.members } as const;
    const judge = judgeOf(deps, shape, { rule: 'createRule', principal: input.principal, request: asked });
    const values = valuesForCreate(shape, body);
    const row = newRow(id, at, values);
    if (judge?.asksDatabase === false) judge.require(valuesOfRow(row));
    const member = insertMember(shape, row, values);
    const answer = (seq: string) => created(shape, row, input, seq);
    if (input.idempotencyKey === '' && judge?.asksDatabase !== true) {
      const outcome = await deps.database.writes.write(compiledInsert(shape, 'together'), member);
      if (outcome.kind === 'written') return answer(outcome.seq);
    }
    const request = { request: input, method: 'POST', path: `/api/svc/${shape.collection.name}/records` } as const;
    return alone(deps, shape, request, async (tx) => {
      const [seq = ''] = await writeIn(tx, compiledInsert(shape, 'alone'), [member]);
      // Rules that ask for other rows are judged once the record is among them; what they refuse is undone.
      if (judge?.asksDatabase === true) await judge.requireStored((fixed, given) => tx.execute(fixed, given), id);
      return answer(seq);
    });
  });
}

function givenId(body: RecordBody): string | undefined {
  const id = Object.hasOwn(body.members, 'id') ? body.members['id'] : null;
  if (id === null || id === '') return undefined;
  if (typeof id !== 'string' || !recordIdPattern.test(id)) return fail('validation_failed', { data: { id: fault('invalid_id') } });
  return id;
}

function newRow(id: string, at: string, values: FieldValues): Row {
  const texts = new Map([...values].map(([name, value]) => [name, value.json]));
  return { id, createdAt: at, updatedAt: at, texts };
}

function insertMember(shape: RecordShape, row: Row, values: FieldValues): WriteMember {
  const columns = shape.fields.map((field) => values.get(field.name)?.sql ?? null);
  return [row.id, row.createdAt, documentText(shape, row, 'public'), ...columns];
}

function created(shape: RecordShape, row: Row, input: WriteRequest, seq: string): RecordAnswer {
  return { status: 201, body: documentText(shape, row, sightOf(shape, input.principal)), etag: entityTag(shape, seq) };
}

function compiledInsert(shape: RecordShape, company: Company): WriteShape {
  return shape.compiled.get(`insert ${company}`, () => insertShape(shape, company));
}
