import { fail, fault } from '../../proto/errors/svc-error.ts';
import { recordIdPattern } from '../../proto/values/ids.ts';
import { parseJson } from '../../proto/values/json.ts';
import { wireTime } from '../../proto/values/time.ts';
import type { Schema } from '../collections/catalogue.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { sightOf } from './access.ts';
import { isPrivileged, type Principal } from '../principal/principal.ts';
import { readAccountChange } from './account/account-body.ts';
import { nextPassword, storePassword, type NewPassword, type PasswordAsked } from './account/password-change.ts';
import { alone, writeIn } from './alone.ts';
import { changeOf, compiledUpdate, type Change } from './change.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import { presentWritten } from './presentation/written.ts';
import { judgeOf, type Judge, type Run } from './rules/judge.ts';
import { documentText, type Row } from './shape/document.ts';
import { valuesOfRow } from './shape/row-values.ts';
import { entityTag, requireMatch } from './entity-tag.ts';
import { asSeenNow } from './kept-answer.ts';
import { lockStored } from './lock-stored.ts';
import type { RecordShape } from './shape/shape.ts';
import { recordBody, valuesForUpdate, type FieldValues, type RecordBody } from './shape/validate.ts';
import { readAllowed, readStored, rowValues, type StoredRecord } from './view.ts';
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
    () => presentWritten(deps, input, (schema) => updateUnder(deps, schema, input, body)),
  );
}

/** An update, its collection found and its body checked. */
interface Update {
  readonly shape: RecordShape;
  readonly input: UpdateRequest;
  readonly values: FieldValues;
  /** A new password for the account. */
  readonly password: string | undefined;
  readonly body: RecordBody;
  readonly judge: Judge | undefined;
}

async function updateUnder(deps: RecordDeps, schema: Schema, input: UpdateRequest, body: RecordBody): Promise<RecordAnswer> {
  const update = planUpdate(deps, schema, input, body);
  const { shape, judge } = update;
  const isAlone = input.idempotencyKey !== '' || judge?.asksDatabase === true || update.password !== undefined;
  const together = isAlone ? undefined : await updateTogether(deps, update);
  if (together !== undefined) return together;
  const request = { request: input, method: 'PATCH', path: `/api/svc/${shape.collection.id}/records/${input.id}` } as const;
  const password = await provenPassword(deps, update);
  return asSeenNow(shape, input, await alone(deps, shape, request, (tx) => updateAlone(deps, tx, update, password)));
}

/** Proven and hashed before the transaction, so that nothing is locked meanwhile; only for a caller whom the rule lets do it. */
async function provenPassword(deps: RecordDeps, update: Update): Promise<NewPassword | undefined> {
  const { shape, input, judge } = update;
  if (update.password === undefined) return undefined;
  await readAllowed(deps, shape, { id: input.id, sight: 'public', judge });
  return nextPassword(deps, shape, askedPassword(update, update.password), (statement, values) => deps.database.query(statement, values));
}

function askedPassword({ input, body }: Update, password: string): PasswordAsked {
  const { id, principal, requestId, passwordHash } = input;
  return { id, principal, requestId, passwordHash, password, present: body.members['oldPassword'] };
}

/** Changes a record within `tx`; what is written stands or falls with it. */
export async function updateIn(deps: RecordDeps, tx: Transaction, schema: Schema, input: UpdateRequest): Promise<RecordAnswer> {
  const update = planUpdate(deps, schema, input, recordBody(parseJson(input.body)));
  const { shape, judge, password } = update;
  if (password === undefined) return updateAlone(deps, tx, update);
  const run: Run = (statement, values) => tx.execute(statement, values);
  const stored = await lockStored(tx, shape, input.id);
  const isAllowed =
    judge?.asksDatabase === true
      ? (await judge.readAllowed(run, { id: input.id, sight: 'public' })) !== undefined
      : judge?.allows(rowValues(stored.document));
  if (isAllowed === false) fail('record_not_found');
  return updateAlone(deps, tx, update, await nextPassword(deps, shape, askedPassword(update, password), run));
}

function planUpdate(deps: RecordDeps, schema: Schema, input: UpdateRequest, body: RecordBody): Update {
  const shape = deps.shapes.named(schema, input.collection);
  const asked = { method: 'PATCH', query: input.query, headers: input.headers, body: body.members } as const;
  const judge = judgeOf(deps, shape, { rule: 'updateRule', principal: input.principal, request: asked });
  if (!recordIdPattern.test(input.id)) fail('record_not_found');
  requireSameId(input, body);
  const { password, faults } = readAccountChange(shape, input.principal, body);
  return { shape, input, body, values: valuesForUpdate(shape, body, faults), judge, password };
}

/** The ordinary way, beside strangers' writes; undefined where the record was locked or moved on meanwhile. */
async function updateTogether(deps: RecordDeps, update: Update): Promise<RecordAnswer | undefined> {
  const { shape, input } = update;
  const stored = await readStored(deps, shape, { id: input.id, sight: 'full' });
  const change = plannedChange(deps, update, stored);
  if (change.changed.length === 0) return unchanged(shape, input, change);
  const outcome = await deps.database.writes.write(compiledUpdate(shape, change.changed, 'together'), change.member);
  return outcome.kind === 'written' ? updated(shape, input, change.after, outcome.seq) : undefined;
}

/** Rules that ask for other rows are judged before and after the write, which is undone where the second verdict is no. */
async function updateAlone(deps: RecordDeps, tx: Transaction, update: Update, password?: NewPassword): Promise<RecordAnswer> {
  const { shape, input } = update;
  const judge = update.judge?.asksDatabase === true ? update.judge : undefined;
  const run: Run = (statement, values) => tx.execute(statement, values);
  const stored = await lockStored(tx, shape, input.id);
  if (judge !== undefined && (await judge.readAllowed(run, { id: input.id, sight: 'public' })) === undefined) fail('record_not_found');
  const change = plannedChange(deps, update, stored);
  if (password !== undefined) await storePassword(tx, shape, { id: input.id, principal: input.principal, password });
  if (change.changed.length === 0) return unchanged(shape, input, change);
  const [seq = ''] = await writeIn(tx, compiledUpdate(shape, change.changed, 'alone'), [change.member]);
  await judge?.after(change.changed).requireStored(run, input.id);
  return updated(shape, input, change.after, seq);
}

/** What the update comes to; the rule is judged first, because a record that it hides is as good as absent. */
function plannedChange(deps: RecordDeps, { shape, input, values, judge }: Update, stored: StoredRecord): Change {
  const isJudgedHere = judge !== undefined && !judge.asksDatabase;
  if (isJudgedHere && !judge.allows(rowValues(stored.document))) fail('record_not_found');
  requireMatch(input.ifMatch, stored.seq);
  const change = changeOf(shape, stored, values, wireTime(deps.clock.now()));
  if (shape.hasAccounts) requireSameAddress(input.principal, change);
  if (isJudgedHere && change.changed.length > 0) judge.after(change.changed).require(valuesOfRow(change.after));
  return change;
}

/** Whoever could change the address could have the account's mail, and with it the account, sent elsewhere. */
function requireSameAddress(principal: Principal, { changed }: Change): void {
  if (isPrivileged(principal) || !changed.some(({ name }) => name === 'email')) return;
  fail('validation_failed', { data: { email: fault('not_changeable', { reason: 'The address of an account changes by confirming the new one.' }) } });
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
