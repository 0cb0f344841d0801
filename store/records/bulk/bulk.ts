import { fail, fault } from '../../../proto/errors/svc-error.ts';
import type { RuleName } from '../../../proto/schema/definition.ts';
import { parseJson } from '../../../proto/values/json.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { alone } from '../alone.ts';
import { deleteIn } from '../delete.ts';
import type { RecordAnswer, RecordDeps } from '../deps.ts';
import { judgeOf } from '../rules/judge.ts';
import { narrowingOf } from '../rules/narrowing.ts';
import type { RecordShape } from '../shape/shape.ts';
import { recordBody } from '../shape/validate.ts';
import { selectMatching } from '../statements/matching.sql.ts';
import { updateIn } from '../update.ts';
import type { WriteRequest } from '../write-request.ts';
import { affectedMax, readBulkQuery, type BulkQuery } from './bulk-query.ts';

/** Changes every record that the filter matches and the caller may change, in one transaction; each is an event of its own. */
export function updateMatching(deps: RecordDeps, input: WriteRequest): Promise<RecordAnswer> {
  recordBody(parseJson(input.body));
  return change(deps, input, { rule: 'updateRule', method: 'PATCH', carryOut: updateIn });
}

/** Deletes every record that the filter matches and the caller may delete, with all that their references ask for. */
export function deleteMatching(deps: RecordDeps, input: WriteRequest): Promise<RecordAnswer> {
  return change(deps, input, { rule: 'deleteRule', method: 'DELETE', carryOut: deleteIn });
}

interface Kind {
  readonly rule: RuleName;
  readonly method: 'PATCH' | 'DELETE';
  readonly carryOut: typeof updateIn;
}

async function change(deps: RecordDeps, input: WriteRequest, kind: Kind): Promise<RecordAnswer> {
  const query = readBulkQuery(input.query);
  return withSchema(deps.catalogue, (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    requireNoPassword(shape, input);
    const request = { request: input, method: kind.method, path: `/api/svc/${shape.collection.id}/records` } as const;
    return alone(deps, shape, { ...request, rest: input.query }, (tx) => changeIn(deps, tx, schema, { shape, input, kind, query }));
  });
}

/** Every password wants its own proof. */
function requireNoPassword({ hasAccounts }: RecordShape, input: WriteRequest): void {
  if (!hasAccounts || bodyOf(input)['password'] === undefined) return;
  fail('validation_failed', { data: { password: fault('not_changeable', { reason: 'A password is changed one account at a time.' }) } });
}

interface Bulk {
  readonly shape: RecordShape;
  readonly input: WriteRequest;
  readonly kind: Kind;
  readonly query: BulkQuery;
}

/** A record that has gone or ceased to match between the search and its lock is left alone, unless the rule refuses what it would become. */
async function changeIn(deps: RecordDeps, tx: Transaction, schema: Schema, bulk: Bulk): Promise<RecordAnswer> {
  const { input, kind, query } = bulk;
  const ids = await matching(deps, tx, bulk);
  if (ids.length > query.maxAffected) return fail('too_many_affected', { values: { limit: query.maxAffected, max: affectedMax } });
  if (query.isDryRun) return answer(ids.length, ',"dryRun":true');
  const present = { ...requestOf(input), ifMatch: '', ifNoneMatch: '' };
  for (const id of ids) await kind.carryOut(deps, tx, schema, { ...present, id });
  return answer(ids.length, '');
}

function requestOf({ principal, collection, query, headers, body, isWanted, requestId }: WriteRequest): Omit<WriteRequest, 'ifMatch'> {
  return { principal, collection, query, headers, body, isWanted, requestId, idempotencyKey: '' };
}

/** The ids that are meant, locked in their order, one more than are allowed at most. */
async function matching(deps: RecordDeps, tx: Transaction, { shape, input, kind, query }: Bulk): Promise<readonly string[]> {
  const { principal } = input;
  const request = { method: kind.method, query: input.query, headers: input.headers, body: bodyOf(input) } as const;
  const judge = judgeOf(deps, shape, { rule: kind.rule, principal, request });
  // A filter tells of what it matches: it is asked of what the caller may see only.
  const viewJudge = judgeOf(deps, shape, { rule: 'viewRule', principal, request });
  const narrowing = narrowingOf(deps, shape, {
    principal,
    judges: [judge, viewJudge],
    filter: query.filter,
    request,
    firstParameter: 3,
  });
  if (narrowing === undefined) throw new TypeError('a bulk change has a filter');
  const statement = shape.compiled.get(`matching ${narrowing.key}`, () => selectMatching(shape, narrowing.condition));
  const rows = await tx.execute(statement, [shape.schema.version, String(query.maxAffected + 1), ...narrowing.values]);
  if (rows[0]?.[0] !== shape.schema.version) throw new StaleCatalogue();
  return rows.flatMap(([, id]) => (id === null || id === undefined ? [] : [id]));
}

function bodyOf({ body }: WriteRequest): Readonly<Record<string, unknown>> {
  return body.length === 0 ? {} : recordBody(parseJson(body)).members;
}

function answer(affected: number, rest: string): RecordAnswer {
  return { status: 200, body: `{"affected":${affected}${rest}}`, etag: '' };
}
