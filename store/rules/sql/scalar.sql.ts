import { sql, type Sql } from '../../postgres/sql.ts';
import type { FieldOperand, FieldRef, JoinedRow, LowerOperand, Operand, Row, StrftimeOperand, ValueType } from '../check/typed-tree.ts';
import { typeOf } from '../check/fit.ts';
import type { SqlSide } from '../operators/operators.sql.ts';
import { timeParts } from '../operators/time-parts.sql.ts';
import type { Parameters } from './parameters.ts';
import { jsonAt, jsonBool, jsonLength, jsonNumber, jsonPresence, jsonText } from './json.sql.ts';

/** Where the parts of a condition stand in the statement. */
export interface Place {
  readonly parameters: Parameters;
  readonly rowAlias: (row: Row) => string;
  /** The element of a list that is being looked at, by the operand that goes through the list. */
  readonly elements: ReadonlyMap<Operand, Sql>;
}

/** The operand's value in SQL, as `as`. */
export function side(place: Place, operand: Operand, as: ValueType): SqlSide {
  switch (operand.kind) {
    case 'literal':
      return { sql: parameter(place.parameters.literal(operand.text ?? ''), as), origin: 'sure' };
    case 'macro':
      return converted(parameter(place.parameters.macro(operand.name), nativeType(operand)), { from: nativeType(operand), to: as, origin: 'sure' });
    case 'request':
      return requestSide(place, operand, as);
    case 'changed':
      return converted(changedSql(place, operand.field), { from: 'bool', to: as, origin: 'sure' });
    case 'field':
      return fieldSide(place, operand, as);
    case 'lower':
      return lowerSide(place, operand);
    case 'strftime':
      return strftimeSide(place, operand);
    case 'distance':
      return distanceSide(place, operand.given, as);
  }
}

/** Whether the operand has a value, and whether it has none; both are null where it is absent. */
export function presence(place: Place, operand: Operand): { readonly isThere: Sql; readonly isMissing: Sql } {
  if (operand.kind === 'literal') return { isThere: sql`false`, isMissing: sql`true` };
  if (operand.kind === 'request' && operand.form === 'value') {
    const isThere = parameter(place.parameters.request(operand, 'presence'), 'bool');
    return { isThere, isMissing: sql`not ${isThere}` };
  }
  if (operand.kind === 'field' && operand.field.type === 'json' && operand.form !== 'length') return jsonPresence(jsonValue(place, operand));
  const type = typeOf(operand);
  const as = type === 'any' || type === 'json' || type === 'nothing' ? 'text' : type;
  return presenceOf(side(place, operand, as), as === 'text');
}

/** What is absent from the request is neither there nor missing. Each parameter must stand in the text, or Postgres cannot tell its type. */
function presenceOf({ sql: value, origin }: SqlSide, isText: boolean): { readonly isThere: Sql; readonly isMissing: Sql } {
  const isThere = isText ? sql`${value} <> ''` : sql`${value} is not null`;
  if (origin === 'request') return { isThere, isMissing: isText ? sql`${value} = ''` : sql`(${value} is null and false)` };
  return { isThere, isMissing: isText ? sql`(${value} is null or ${value} = '')` : sql`${value} is null` };
}

/** A parameter with its cast. */
export function parameter(number: number, as: ValueType | 'list'): Sql {
  return sql`${sql.param(number)}::${sqlTypes[as]}`;
}

/** The column of a field, or of the json value that is looked at. */
export function columnSql(place: Place, row: Row, field: FieldRef): Sql {
  return sql.id(place.rowAlias(row), field.name);
}

function jsonValue(place: Place, operand: FieldOperand): Sql {
  return place.elements.get(operand) ?? jsonAt(columnSql(place, operand.row, operand.field), operand.path);
}

export function linksTable(field: FieldRef): Sql {
  return sql.id('data', `_mn_${field.id}`);
}

export function rowTable(row: JoinedRow): Sql {
  return sql.id('data', row.collection);
}

const sqlTypes: Readonly<Record<ValueType | 'list', Sql>> = {
  text: sql`text`,
  number: sql`double precision`,
  bool: sql`boolean`,
  instant: sql`timestamptz`,
  date: sql`date`,
  list: sql`text[]`,
};

function nativeType(operand: Operand): ValueType {
  const type = typeOf(operand);
  return type === 'any' || type === 'json' || type === 'nothing' ? 'text' : type;
}

function requestSide(place: Place, operand: Extract<Operand, { kind: 'request' }>, as: ValueType): SqlSide {
  const element = place.elements.get(operand);
  if (element !== undefined) return { sql: element, origin: 'element' };
  if (operand.form === 'length')
    return converted(parameter(place.parameters.request(operand, 'length'), 'number'), { from: 'number', to: as, origin: 'request' });
  if (operand.form === 'isset')
    return converted(parameter(place.parameters.request(operand, 'isset'), 'bool'), { from: 'bool', to: as, origin: 'sure' });
  return { sql: parameter(place.parameters.request(operand, as), as), origin: 'request' };
}

function fieldSide(place: Place, operand: FieldOperand, as: ValueType): SqlSide {
  if (operand.form === 'length') return converted(lengthSql(place, operand), { from: 'number', to: as, origin: 'stored' });
  if (operand.field.type === 'json') return jsonSide(jsonValue(place, operand), as);
  const element = place.elements.get(operand);
  if (element !== undefined) return { sql: element, origin: 'stored' };
  const isSystem = operand.field.id === operand.field.name && operand.row.kind === 'record';
  const column = columnSql(place, operand.row, operand.field);
  return converted(column, { from: nativeType(operand), to: as, origin: isSystem ? 'sure' : 'stored' });
}

function jsonSide(value: Sql, as: ValueType): SqlSide {
  switch (as) {
    case 'number':
      return { sql: jsonNumber(value), origin: 'stored' };
    case 'bool':
      return { sql: jsonBool(value), origin: 'stored' };
    case 'text':
      return { sql: jsonText(value), origin: 'stored' };
    case 'instant':
    case 'date':
      throw new TypeError('json holds no times');
  }
}

/** Of a row that is missing, the length is 0, as of an empty list. */
function lengthSql(place: Place, operand: FieldOperand): Sql {
  const { field, row } = operand;
  if (field.type === 'json') return jsonLength(jsonAt(columnSql(place, row, field), operand.path));
  if (field.place === 'list') return sql`coalesce(cardinality(${columnSql(place, row, field)}), 0)::double precision`;
  return sql`(select count(*) from ${linksTable(field)} link where link.record = ${sql.id(place.rowAlias(row), 'id')})::double precision`;
}

function lowerSide(place: Place, { of }: LowerOperand): SqlSide {
  const { sql: value, origin } = side(place, of, 'text');
  return { sql: sql`lower(${value} collate "C")`, origin };
}

function strftimeSide(place: Place, operand: StrftimeOperand): SqlSide {
  const { sql: value, origin } = side(place, operand.of, 'instant');
  const at = operand.shifts.reduce(
    (shifted, shift) =>
      shift.kind === 'startOf'
        ? sql`date_trunc('${sql.expression(shift.unit)}', ${shifted})`
        : sql`(${shifted} + ${parameter(place.parameters.literal(String(shift.amount)), 'number')} * interval '1 ${sql.expression(shift.unit)}')`,
    sql`(${value} at time zone 'UTC')`,
  );
  const pieces = operand.format.map((piece) => timeParts.get(piece)?.sql(at) ?? parameter(place.parameters.literal(piece), 'text'));
  // Of a time that is missing there is no text, not even the fixed pieces of the format.
  const text = pieces.length === 0 ? sql`''` : sql`concat(${sql.join(pieces)})`;
  return { sql: sql`(case when ${at} is not null then ${text} end collate "C")`, origin };
}

/** The great circle on a sphere of 6,371 km. */
function distanceSide(place: Place, given: readonly Operand[], as: ValueType): SqlSide {
  const sides = given.map((operand) => side(place, operand, 'number'));
  const [lonA, latA, lonB, latB] = sides.map(({ sql: value }) => sql`radians(${coordinate(value)})`);
  const cosine = sql`sin(${latA}) * sin(${latB}) + cos(${latA}) * cos(${latB}) * cos(${lonB} - ${lonA})`;
  const kilometres = sql`6371 * acos(greatest(-1, least(1, ${cosine})))`;
  const isAnyAbsent = sides.some(({ origin }) => origin === 'request');
  // least and greatest pass over nulls, so a missing coordinate, or one that is none, is asked for beforehand.
  const areThere = sql.join(
    sides.map(({ sql: value }) => sql`abs(${value}) <= 100000`),
    ' and ',
  );
  return converted(sql`(case when ${areThere} then ${kilometres} end)`, { from: 'number', to: as, origin: isAnyAbsent ? 'request' : 'stored' });
}

/** What is too small to be told from 0 would make Postgres fail, because its square cannot be held. */
function coordinate(value: Sql): Sql {
  return sql`(case when abs(${value}) < 1e-100 then 0 else ${value} end)`;
}

/** Whether the body has a value for the field, and another one than the record has, or had before it was changed. */
function changedSql(place: Place, field: FieldRef): Sql {
  const request = { part: 'body', path: [field.name] } as const;
  const isSet = parameter(place.parameters.request(request, 'isset'), 'bool');
  const isChanged = parameter(place.parameters.changed(field.name), 'bool');
  return sql`(${isSet} and coalesce(${isChanged}, ${differsSql(place, request, field)}))`;
}

function differsSql(place: Place, request: { readonly part: 'body'; readonly path: readonly string[] }, field: FieldRef): Sql {
  const column = columnSql(place, { kind: 'record' }, field);
  if (field.place !== 'column') {
    const given = sql`coalesce(${parameter(place.parameters.request(request, 'list'), 'list')}, '{}')`;
    return sql`${field.place === 'list' ? column : storedLinks(place, field)} is distinct from ${given}`;
  }
  const type = nativeType({ kind: 'field', row: { kind: 'record' }, field, path: [], form: 'value' });
  const given = parameter(place.parameters.request(request, type), type);
  return type === 'text' ? sql`coalesce(${column}, '') <> coalesce(${given}, '')` : sql`${column} is distinct from ${given}`;
}

function storedLinks(place: Place, field: FieldRef): Sql {
  const id = sql.id(place.rowAlias({ kind: 'record' }), 'id');
  return sql`array(select link.target from ${linksTable(field)} link where link.record = ${id} order by link.position)`;
}

interface Conversion {
  readonly from: ValueType;
  readonly to: ValueType;
  readonly origin: SqlSide['origin'];
}

function converted(value: Sql, { from, to, origin }: Conversion): SqlSide {
  if (from === to) return { sql: value, origin };
  if (from === 'date' && to === 'instant') return { sql: sql`(${value}::timestamp at time zone 'UTC')`, origin };
  if (from === 'instant' && to === 'text') return { sql: sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`, origin };
  if (to === 'text') return { sql: sql`${value}::text`, origin };
  throw new TypeError(`${from} does not become ${to}`);
}
