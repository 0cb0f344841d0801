import { fieldTypes } from '../../../proto/fields/registry.ts';
import { relationOf } from '../../../proto/fields/types/relation.ts';
import type { Field } from '../../../proto/fields/field-type.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import { quoteName, sql, type Sql } from '../../postgres/sql.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { toSql, type ParameterSource } from '../../rules/index.ts';
import { refuseParameter } from '../parameters.ts';
import { callerScope } from '../rules/narrowing.ts';
import type { RecordShape } from '../shape/shape.ts';
import type { SortKey } from './list-query.ts';

/** One key of an order over the row `record`. */
export interface OrderKey {
  readonly expression: Sql;
  readonly sqlType: string;
  readonly isDescending: boolean;
  readonly isNullable: boolean;
  /** The member of the record's document that shows the value; undefined where another record's does. */
  readonly member: string | undefined;
}

/** A whole order: nothing is left to chance, because it ends with the id. */
export interface Order {
  /** Equal keys, equal order. */
  readonly key: string;
  readonly keys: readonly OrderKey[] | 'random';
  /** What the view rules of records that relations lead to take from the request. */
  readonly parameters: readonly ParameterSource[];
}

const depthMax = 6;

/** The order that a list asks for; newest first unless it says otherwise. Fails with `bad_query` naming `sort`. */
export function orderOf(
  shape: RecordShape,
  sort: readonly SortKey[],
  reader: { readonly principal: Principal; readonly key: string; readonly firstParameter: number },
): Order {
  const asked = sort.length === 0 ? newestFirst : sort;
  const key = `order ${reader.key} ${JSON.stringify(asked)}`;
  return shape.compiled.get(`${key} ${reader.firstParameter}`, () =>
    compile(shape, asked, reader.principal, { key, firstParameter: reader.firstParameter }),
  );
}

const newestFirst: readonly SortKey[] = [{ kind: 'path', names: ['created_at'], isDescending: true }];

function compile(
  shape: RecordShape,
  sort: readonly SortKey[],
  principal: Principal,
  { key, firstParameter }: { readonly key: string; readonly firstParameter: number },
): Order {
  if (sort.some(({ kind }) => kind === 'random')) return { key, keys: 'random', parameters: [] };
  const paths = new SortPaths(shape, principal, firstParameter);
  const keys = sort.flatMap((one, index) => (one.kind === 'random' ? [] : [paths.key(one.names, one.isDescending, index)]));
  const isSettled = keys.some(({ member }) => member === 'id');
  const settling = isSettled ? [] : [paths.key(['id'], keys.at(-1)?.isDescending ?? false, keys.length)];
  return { key, keys: [...keys, ...settling], parameters: paths.parameters };
}

/** Finds what sort keys name, as far as the caller may know of it. */
class SortPaths {
  readonly parameters: ParameterSource[] = [];
  readonly #shape: RecordShape;
  readonly #principal: Principal;
  readonly #firstParameter: number;

  constructor(shape: RecordShape, principal: Principal, firstParameter: number) {
    this.#shape = shape;
    this.#principal = principal;
    this.#firstParameter = firstParameter;
  }

  key(names: readonly string[], isDescending: boolean, index: number): OrderKey {
    if (names.length > depthMax + 1) refuseParameter('sort', `a path has at most ${depthMax} relations`);
    const member = names.length === 1 ? names[0] : undefined;
    const place = { collection: this.#shape.collection, alias: 'record', prefix: `sort_${index}`, text: names.join('.') };
    const found = this.#find(names, place);
    return { ...found, isDescending, isNullable: member === undefined || !neverNull.includes(member), member };
  }

  #find(names: readonly string[], place: Place): Pick<OrderKey, 'expression' | 'sqlType'> {
    const [name = '', ...rest] = names;
    const { collection, alias } = place;
    const column = sql.expression(quoteName(alias, name));
    if (rest.length === 0 && neverNull.includes(name)) return { expression: column, sqlType: name === 'id' ? 'text' : 'timestamptz' };
    const field = this.#visible(collection, name) ?? refuseName(place);
    if (rest.length > 0) return this.#follow(field, rest, { ...place, column });
    const sqlType = fieldTypes[field.type].column(field.options);
    if (sqlType === null || field.type === 'json' || fieldTypes[field.type].isList(field.options))
      return refuseParameter('sort', `${name} has no order`);
    return { expression: column, sqlType };
  }

  /** The value behind a relation to one, null where the caller does not see that record. */
  #follow(field: Field, rest: readonly string[], place: Place & { readonly column: Sql }): Pick<OrderKey, 'expression' | 'sqlType'> {
    const relation = relationOf(field);
    const target = relation === undefined ? undefined : this.#shape.schema.byId(relation.targetId);
    const scope = callerScope(this.#shape, this.#principal);
    if (relation === undefined || target === undefined || !scope.mayRead(target)) return refuseName(place);
    if (relation.cardinality === 'M:N') return refuseParameter('sort', `${field.name} leads to many records, which have no one value to sort by`);
    const alias = `${place.prefix}_${rest.length}`;
    const inner = this.#find(rest, { ...place, collection: target, alias });
    const guard = scope.guardOf?.(target);
    const condition = guard === undefined ? sql.empty : sql` and (${this.#guard(guard, alias)})`;
    const row = sql.id(alias);
    return {
      sqlType: inner.sqlType,
      expression: sql`(select ${inner.expression} from ${sql.id('data', target.name)} ${row} where ${row}.id = ${place.column}${condition})`,
    };
  }

  #guard(guard: Parameters<typeof toSql>[0], alias: string): Sql {
    const { condition, parameters } = toSql(guard, { alias, firstParameter: this.#firstParameter + this.parameters.length });
    this.parameters.push(...parameters);
    return condition;
  }

  #visible(collection: CollectionDefinition, name: string): Field | undefined {
    return collection.fields.find((field) => field.name === name && (!field.hidden || isPrivileged(this.#principal)));
  }
}

interface Place {
  readonly collection: CollectionDefinition;
  readonly alias: string;
  readonly prefix: string;
  /** The path as it was written. */
  readonly text: string;
}

const neverNull: readonly string[] = ['id', 'created_at', 'updated_at'];

function refuseName({ text }: Place): never {
  return refuseParameter('sort', `there is no field called ${JSON.stringify(text.slice(0, 64))}`);
}
