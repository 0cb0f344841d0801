import { fail } from '../../../proto/errors/svc-error.ts';
import type { RuleName } from '../../../proto/schema/definition.ts';
import type { TextRow } from '../../postgres/connection.ts';
import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import type { Statement } from '../../postgres/sql.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { bindParameters, toSql, type ParameterSource, type RowValues } from '../../rules/index.ts';
import type { RecordDeps } from '../deps.ts';
import type { Sight } from '../shape/document.ts';
import type { RecordShape } from '../shape/shape.ts';
import { selectAllowed } from '../statements/allowed.sql.ts';
import { RuleRequest, type RuleRequestInput } from './rule-request.ts';
import { ruleOf, type RuleExpression } from './rule.ts';

/** Runs statements: on the shared connections, or in a transaction. */
export type Run = (statement: Statement, values: readonly (string | null)[]) => Promise<readonly TextRow[]>;

/**
 * The judge of what `rule` governs, for one request; undefined where there is nothing to judge, because the rule is open or
 * the caller passes all rules. A locked rule fails here: with 401 for guests, 403 for others (CONTRACT section 1).
 */
export function judgeOf(
  deps: Pick<RecordDeps, 'clock'>,
  shape: RecordShape,
  input: { readonly rule: RuleName; readonly principal: Principal; readonly request: RuleRequestInput },
): Judge | undefined {
  const { rule: name, principal, request } = input;
  if (isPrivileged(principal)) return undefined;
  const authCollection = principal.kind === 'user' ? shape.schema.byId(principal.collectionId) : undefined;
  const rule = ruleOf(shape, name, authCollection);
  if (rule === 'open') return undefined;
  if (rule === 'locked') return refuse(principal);
  return new Judge(shape, rule, { principal, request: new RuleRequest(principal, request), now: new Date(deps.clock.now()) });
}

/** Refuses what the caller has no right to: guests may sign in, others may not hope. */
function refuse(principal: Principal): never {
  return fail(principal.kind === 'guest' ? 'unauthorized' : 'forbidden');
}

interface Hearing {
  readonly principal: Principal;
  readonly request: RuleRequest;
  readonly now: Date;
}

/** Says of rows whether one rule lets one caller have them. */
export class Judge {
  readonly rule: RuleExpression;
  readonly #shape: RecordShape;
  readonly #hearing: Hearing;

  constructor(shape: RecordShape, rule: RuleExpression, hearing: Hearing) {
    this.rule = rule;
    this.#shape = shape;
    this.#hearing = hearing;
  }

  /** The judge of what records become when the request has changed these fields. */
  after(changed: readonly { readonly name: string }[]): Judge {
    const request = this.#hearing.request.after(changed.map(({ name }) => name));
    return new Judge(this.#shape, this.rule, { ...this.#hearing, request });
  }

  /** Whether only the database can tell, because the rule asks for other rows. */
  get asksDatabase(): boolean {
    return this.rule.predicate.kind === 'needs-database';
  }

  /** What must be read of a record to judge it. */
  get sight(): Sight {
    return this.rule.readsHidden ? 'full' : 'public';
  }

  /** The verdict on a row that is at hand, all the fields that the rule reads included. */
  allows(row: RowValues): boolean {
    const { predicate } = this.rule;
    if (predicate.kind === 'needs-database') throw new TypeError('this rule is judged by the database');
    return predicate.test(row, this.#hearing.request, this.#hearing.now);
  }

  /** Fails with 401 or 403 unless the rule allows a row that is about to be stored. */
  require(row: RowValues): void {
    if (!this.allows(row)) refuse(this.#hearing.principal);
  }

  /** The record if the rule allows it as it is stored now: (version, id, document, record version); the database judges. */
  async readAllowed(run: Run, wanted: { readonly id: string; readonly sight: Sight }): Promise<TextRow | undefined> {
    const { statement, parameters } = this.#shape.compiled.get(`${this.rule.key} ${wanted.sight}`, () => this.#compile(wanted.sight));
    const version = this.#shape.schema.version;
    const [row] = await run(statement, [version, wanted.id, ...this.bind(parameters)]);
    if (row?.[0] !== version) throw new StaleCatalogue();
    return row[1] === null ? undefined : row;
  }

  /** Fails with 401 or 403 unless the rule allows the record as it is stored now. */
  async requireStored(run: Run, id: string): Promise<void> {
    if ((await this.readAllowed(run, { id, sight: 'public' })) === undefined) refuse(this.#hearing.principal);
  }

  /** The parameters of a condition for this request. */
  bind(parameters: readonly ParameterSource[]): (string | null)[] {
    return bindParameters(parameters, this.#hearing.request, this.#hearing.now);
  }

  #compile(sight: Sight): { readonly statement: Statement; readonly parameters: readonly ParameterSource[] } {
    const { condition, parameters } = toSql(this.rule.tree, { alias: 'record', firstParameter: 3 });
    return { statement: selectAllowed(this.#shape, sight, condition), parameters };
  }
}
