import { fail, fault } from '../../../proto/errors/svc-error.ts';
import { ExplainInput, type Explanation } from '../../../proto/schema/explanation.ts';
import { FaultList, parseInto } from '../../../proto/schema/faults.ts';
import { parseJson } from '../../../proto/values/json.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { allOf, bindParameters, check, parse, toSql, type SyntaxTree, type TypedTree } from '../../rules/index.ts';
import type { RecordDeps } from '../deps.ts';
import { callerScope } from '../rules/narrowing.ts';
import { RuleRequest } from '../rules/rule-request.ts';
import { treeFor } from '../rules/rule.ts';
import { isServedByIndex } from '../rules/served-by-index.ts';
import type { RecordShape } from '../shape/shape.ts';
import { rowValues, readStored } from '../view.ts';
import { selectPassing, explainPassing } from './explain.sql.ts';
import { judgeParts, partsOf, type Part } from './parts.ts';
import { onRecord } from './rehearsal.ts';

const planTimeoutMs = 10_000;

/** Says what a rule comes to for somebody and a record, and how Postgres would carry it out. Changes nothing. */
export function explainRule(deps: RecordDeps, input: { readonly collection: string; readonly body: Uint8Array }): Promise<Explanation> {
  const asked = readInput(input.body);
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const principal = await principalOf(deps, schema, asked.as);
    const rule = ruleTextOf(shape, asked);
    const filter =
      (asked.filter ?? '').trim() === '' ? undefined : expressionOf(asked.filter ?? '', (tree) => check(tree, callerScope(shape, principal)));
    const told = { rule, filter: asked.filter ?? '' };
    if (rule === null) return { ...nothing, ...told, state: 'locked', verdict: false };
    const expression = expressionOf(rule, () => treeFor(shape, rule, schema.byId(accountOf(principal))) ?? check(parse(rule), ruleScope(shape)));
    const request = new RuleRequest(principal, {
      method: methods[asked.action ?? 'view'],
      query: queryText(asked),
      headers: headerLines(asked),
      body: asked.body ?? asked.record ?? {},
    });
    const now = new Date(deps.clock.now());
    const parts = partsOf(expression);
    const filterParts = filter === undefined ? [] : partsOf(filter);
    const values = await onRecord(deps, schema, shape, asked, (read) => judgeParts(shape, [...parts, ...filterParts], { request, now }, read));
    const judged = parts.map(toldPart(values, 0));
    const judgedFilter = filterParts.map(toldPart(values, parts.length));
    const isOpen = rule.trim() === '';
    return {
      ...told,
      state: isOpen ? 'open' : 'expression',
      verdict: isOpen ? true : (judged[0]?.value ?? null),
      parts: isOpen ? [] : judged,
      failed: isOpen ? null : firstFailed(judged),
      filterVerdict: judgedFilter[0]?.value ?? null,
      filterParts: judgedFilter,
      ...(await planOf(deps, shape, allOf([expression.typed, ...(filter === undefined ? [] : [filter.typed])]), { request, now })),
    };
  });
}

const nothing = { parts: [], failed: null, filterVerdict: null, filterParts: [], sql: null, parameters: [], plan: [], warnings: [] };
const methods = { list: 'GET', view: 'GET', subscribe: 'GET', create: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** An expression, as it was written and as it was understood. */
export interface Expression {
  readonly syntax: SyntaxTree;
  readonly typed: TypedTree;
}

function expressionOf(text: string, understand: (tree: SyntaxTree) => TypedTree): Expression {
  const syntax = parse(text);
  return { syntax, typed: understand(syntax) };
}

function readInput(body: Uint8Array): ExplainInput {
  const faults = new FaultList();
  const asked = parseInto(faults, [], ExplainInput, parseJson(body).value);
  if (asked !== undefined && (asked.rule === undefined) === (asked.action === undefined))
    faults.add(['rule'], fault('invalid_value', { reason: 'must be given, or else action' }));
  if (asked?.record !== undefined && asked.recordId !== undefined)
    faults.add(['recordId'], fault('invalid_value', { reason: 'cannot stand beside record' }));
  faults.throwIfAny();
  return asked ?? fail('validation_failed');
}

function ruleTextOf({ collection: { rules } }: RecordShape, { rule, action }: ExplainInput): string | null {
  if (action === undefined) return rule ?? null;
  if (action === 'subscribe') return rules.subscribeRule === undefined ? rules.listRule : rules.subscribeRule;
  return rules[`${action}Rule`];
}

function ruleScope({ schema, collection }: RecordShape) {
  return { schema, collection, use: 'rule', sight: 'full', mayRead: () => true } as const;
}

/** The account as a signed-in one; it needs no session, because nobody signs in. */
async function principalOf(deps: RecordDeps, schema: Schema, as: ExplainInput['as']): Promise<Principal> {
  if (as === undefined || as === null) return { kind: 'guest' };
  const shape = deps.shapes.named(schema, as.svc);
  if (!shape.hasAccounts) return fail('validation_failed', { data: { 'as.svc': fault('unknown_collection') } });
  const { document } = await readStored(deps, shape, { id: as.id, sight: 'full' });
  const { id: collectionId, name } = shape.collection;
  return { kind: 'user', collectionId, collection: name, id: as.id, sessionId: '', account: { ...rowValues(document), svc: name } };
}

function accountOf(principal: Principal): string {
  return principal.kind === 'user' ? principal.collectionId : '';
}

function queryText({ query, filter }: ExplainInput): string {
  return new URLSearchParams({ ...(filter === undefined ? {} : { filter }), ...query }).toString();
}

function headerLines({ headers = {} }: ExplainInput): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value.replaceAll('\n', ' ')}\n`)
    .join('');
}

type Told = Explanation['parts'][number];

function toldPart(values: readonly (boolean | null)[], from: number) {
  return ({ source, depth }: Part, index: number): Told => ({ source, value: values[from + index] ?? null, depth });
}

/** The first condition that failed and made the whole fail; of alternatives that all failed, the group. */
function firstFailed(parts: readonly Told[]): string | null {
  const [whole, ...inner] = parts;
  if (whole?.value !== false) return null;
  if (whole.source !== 'all')
    return whole.source === 'any'
      ? inner
          .filter(({ depth }) => depth === whole.depth + 1)
          .map(({ source }) => source)
          .join(' || ')
      : whole.source;
  const at = inner.findIndex(({ depth, value }) => depth === whole.depth + 1 && value === false);
  return at === -1 ? whole.source : firstFailed(inner.slice(at));
}

async function planOf(
  deps: RecordDeps,
  shape: RecordShape,
  tree: TypedTree,
  { request, now }: { readonly request: RuleRequest; readonly now: Date },
): Promise<Pick<Explanation, 'sql' | 'parameters' | 'plan' | 'warnings'>> {
  const { condition, parameters: sources } = toSql(tree, { alias: 'record', firstParameter: 1 });
  const parameters = bindParameters(sources, request, now);
  const rows = await deps.database.slowQuery(explainPassing(shape, condition), parameters, planTimeoutMs);
  const isEverything = tree.kind === 'all' && tree.parts.length === 0;
  const warnings =
    isEverything || isServedByIndex(shape.collection, tree)
      ? []
      : ['No index finds the records that pass: lists look at every record. An index on a field that the rule compares with = would serve it.'];
  return { sql: selectPassing(shape, condition).text, parameters, plan: rows.map(([line]) => line ?? ''), warnings };
}
