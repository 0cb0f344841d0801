import { fail, fault, SvcError } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import { parseJson } from '../../proto/values/json.ts';
import { wireTime } from '../../proto/values/time.ts';
import type { Schema } from '../collections/catalogue.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { WriteMember, WriteShape } from '../postgres/write-coalescer.ts';
import { isPrivileged } from '../principal/principal.ts';
import { sightOf } from './access.ts';
import { readSignUp } from './account/account-body.ts';
import { firstPassword, storePassword, type NewPassword } from './account/password-change.ts';
import { withUsername } from './account/username.ts';
import { alone, writeIn, type AloneRequest } from './alone.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import { presentWritten } from './presentation/written.ts';
import { judgeOf, type Judge, type Run } from './rules/judge.ts';
import { documentText, type Row } from './shape/document.ts';
import { valuesOfRow } from './shape/row-values.ts';
import { entityTag } from './entity-tag.ts';
import { asSeenNow } from './kept-answer.ts';
import type { RecordShape } from './shape/shape.ts';
import { insertShape } from './statements/insert.sql.ts';
import type { Company } from './statements/write-columns.sql.ts';
import { recordBody, valuesForCreate, type FieldValues, type RecordBody } from './shape/validate.ts';
import type { WriteRequest } from './write-request.ts';

/** Creates a record with its row of the log. */
export async function createRecord(deps: RecordDeps, input: WriteRequest): Promise<RecordAnswer> {
  const body = recordBody(parseJson(input.body));
  const made = deps.ids.record();
  return presentWritten(deps, input, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const id = givenId(shape, input, body) ?? made;
    if (shape.hasAccounts) return signUp(deps, shape, input, { id, body });
    const creation = planCreation(deps, shape, input, { id, body });
    if (input.idempotencyKey === '' && creation.judge?.asksDatabase !== true) {
      const outcome = await deps.database.writes.write(compiledInsert(shape, 'together'), creation.member);
      if (outcome.kind === 'written') return created(creation, outcome.seq);
    }
    return asSeenNow(shape, input, await alone(deps, shape, requestOf(shape, input), (tx) => insertAlone(tx, creation)));
  });
}

/** An account's password is hashed before the transaction that stores it beside the record, so that nothing is locked meanwhile. */
async function signUp(deps: RecordDeps, shape: RecordShape, input: WriteRequest, { id, body }: Given): Promise<RecordAnswer> {
  const run: Run = (statement, values) => deps.database.query(statement, values);
  for (let attemptsLeft = 3; ; attemptsLeft -= 1) {
    const named = await withUsername(deps.ids, shape, body, run);
    const creation = planCreation(deps, shape, input, { id, body: named });
    const password = await hashed(deps, creation);
    try {
      return asSeenNow(shape, input, await alone(deps, shape, requestOf(shape, input), (tx) => insertAlone(tx, creation, password)));
    } catch (error) {
      // Somebody has taken the name that we made up a moment ago.
      if (attemptsLeft === 1 || named === body || !isAbout(error, 'username')) throw error;
    }
  }
}

function isAbout(error: unknown, field: string): boolean {
  return error instanceof SvcError && Object.keys(error.details.data ?? {}).join() === field;
}

async function hashed(deps: RecordDeps, { password, input }: Creation): Promise<NewPassword | undefined> {
  if (password === undefined) return undefined;
  return input.passwordHash === undefined ? firstPassword(deps, password, input.requestId) : { hash: input.passwordHash, replaces: null };
}

function requestOf(shape: RecordShape, request: WriteRequest): AloneRequest {
  return { request, method: 'POST', path: `/api/svc/${shape.collection.id}/records` };
}

/** Creates a record within `tx`; what is written stands or falls with it. */
export async function createIn(deps: RecordDeps, tx: Transaction, schema: Schema, input: WriteRequest): Promise<RecordAnswer> {
  const shape = deps.shapes.named(schema, input.collection);
  const body = await withUsername(deps.ids, shape, recordBody(parseJson(input.body)), (fixed, given) => tx.execute(fixed, given));
  const creation = planCreation(deps, shape, input, { id: givenId(shape, input, body) ?? input.madeId ?? deps.ids.record(), body });
  return insertAlone(tx, creation, await hashed(deps, creation));
}

/** A create, checked as far as it can be before anything is written. */
interface Creation {
  readonly shape: RecordShape;
  readonly input: WriteRequest;
  readonly row: Row;
  readonly member: WriteMember;
  readonly judge: Judge | undefined;
  /** Of a new account. */
  readonly password: string | undefined;
}

interface Given {
  readonly id: string;
  readonly body: RecordBody;
}

function planCreation(deps: RecordDeps, shape: RecordShape, input: WriteRequest, { id, body }: Given): Creation {
  const asked = { method: 'POST', query: input.query, headers: input.headers, body: body.members } as const;
  const judge = judgeOf(deps, shape, { rule: 'createRule', principal: input.principal, request: asked });
  const { password, faults } = readSignUp(shape, input, body);
  const isVerified = input.signUp?.isVerified === true;
  const proven = isVerified ? { ...body, members: { ...body.members, verified: true } } : body;
  const values = valuesForCreate(shape, proven, faults);
  const row = newRow(id, wireTime(deps.clock.now()), values);
  if (judge?.asksDatabase === false) judge.require(valuesOfRow(row));
  return { shape, input, row, member: insertMember(shape, row, values), judge, password };
}

/** Rules that ask for other rows are judged once the record is among them; what they refuse is undone. */
async function insertAlone(tx: Transaction, creation: Creation, password?: NewPassword): Promise<RecordAnswer> {
  const { shape, input, row, member, judge } = creation;
  const [seq = ''] = await writeIn(tx, compiledInsert(shape, 'alone'), [member]);
  if (password !== undefined) await storePassword(tx, shape, { id: row.id, principal: input.principal, password });
  if (judge?.asksDatabase === true) await judge.requireStored((fixed, given) => tx.execute(fixed, given), row.id);
  return created(creation, seq);
}

function givenId(shape: RecordShape, { principal, signUp: isOwnWay }: WriteRequest, body: RecordBody): string | undefined {
  const id = Object.hasOwn(body.members, 'id') ? body.members['id'] : null;
  if (id === null || id === '') return undefined;
  // Rules tell accounts by their id: who could choose one could take the place of another collection's account, or of one that was deleted.
  if (shape.hasAccounts && !isPrivileged(principal) && isOwnWay === undefined)
    return fail('validation_failed', { data: { id: fault('not_changeable', { reason: 'The id of an account is given by the service.' }) } });
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

function created({ shape, row, input }: Creation, seq: string): RecordAnswer {
  return { status: 201, body: documentText(shape, row, sightOf(shape, input.principal)), etag: entityTag(shape, seq) };
}

function compiledInsert(shape: RecordShape, company: Company): WriteShape {
  return shape.compiled.get(`insert ${company}`, () => insertShape(shape, company));
}
