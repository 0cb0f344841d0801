import type { Field } from '../../../proto/fields/field-type.ts';
import { fieldTypes, isListField } from '../../../proto/fields/registry.ts';
import { relationOf } from '../../../proto/fields/types/relation.ts';
import type { SelectOptions } from '../../../proto/fields/types/select.ts';
import { quoteName, sql, type Sql } from '../../postgres/sql.ts';
import { dataTable } from './table.sql.ts';
import { joinTable } from './table-shape.ts';

// How the values of a field become those of another type. A value is taken over whole or not at all: what the new type
// cannot hold refuses the change (409), nothing is ever cut or lost. Options (min, max, pattern, ...) are no part of this:
// they bind what is written later.

/** A condition under which a row's value cannot be taken over, and what to say then. */
export interface Obstacle {
  readonly condition: Sql;
  readonly reason: string;
}

export interface Conversion {
  readonly obstacles: readonly Obstacle[];
  /** The new value, from the row `record` (or bare column names, which `alter column ... using` needs). */
  readonly value: Sql;
}

/** The values as they are: one text at most (for most types), or a list of texts. */
type Source = { readonly kind: 'single'; readonly text: Sql; readonly json: Sql } | { readonly kind: 'list'; readonly list: Sql };

/** From the column called `name`. */
export function convertColumn(from: Field, to: Field, name: string): Conversion {
  const column = sql.id(name);
  return direct(from, to, column) ?? convert(columnSource(from, name), to);
}

/** From the links of `from`, for the row `record`. */
export function convertLinks(from: Field, to: Field): Conversion {
  const links = sql`
    array(
      select link.target
      from ${dataTable(joinTable(from.id))} link
      where link.record = record.id
      order by link.position
    )`;
  return convert({ kind: 'list', list: links }, to);
}

/** To a list of ids, from the column called `name`. */
export function convertToLinks(from: Field, name: string): Conversion {
  const source = columnSource(from, name);
  return { obstacles: [], value: source.kind === 'list' ? source.list : listOf(notBlank(source.text)) };
}

function columnSource(field: Field, name: string): Source {
  const column = sql.id(name);
  if (isListField(field)) return { kind: 'list', list: column };
  const json = sql.expression(fieldTypes[field.type].toJson(quoteName(name), field.options));
  return { kind: 'single', json, text: isText(field) ? column : sql`(${json}) #>> '{}'` };
}

/** Pairs whose values look different as text but mean the same. */
function direct(from: Field, to: Field, column: Sql): Conversion | undefined {
  switch (`${from.type} ${to.type}`) {
    case 'bool number':
      return { obstacles: [], value: sql`${column}::integer::double precision` };
    case 'date datetime':
      return { obstacles: [], value: sql`${column}::timestamp at time zone 'UTC'` };
    case 'datetime date': {
      const utc = sql`(${column} at time zone 'UTC')`;
      return { obstacles: [{ condition: sql`${utc}::time <> '00:00'`, reason: 'hold a time of day' }], value: sql`${utc}::date` };
    }
  }
  return undefined;
}

function convert(source: Source, to: Field): Conversion {
  if (to.type === 'json') return { obstacles: [], value: source.kind === 'list' ? listJson(source.list) : source.json };
  if (isListField(to)) return toList(source.kind === 'list' ? source.list : listOf(notBlank(source.text)), to);
  if (source.kind === 'single') return fromText(to.type === 'text' ? source.text : notBlank(source.text), to);
  if (to.type === 'text') return { obstacles: [], value: sql`${listJson(source.list)}::text` };
  const single = fromText(sql`(${source.list})[1]`, to);
  return { ...single, obstacles: [{ condition: sql`cardinality(${source.list}) > 1`, reason: 'hold more than one value' }, ...single.obstacles] };
}

function toList(list: Sql, to: Field): Conversion {
  if (relationOf(to) !== undefined) return { obstacles: [], value: list };
  return { obstacles: [{ condition: sql`not ${list} <@ ${optionsOf(to)}`, reason: 'are not among the options' }], value: list };
}

const numericForm = '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?$';
const dateForm = '^\\d{4}-\\d{2}-\\d{2}$';
const instantForm = '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$';
const emailForm = '^[^@\\s]{1,64}@[^@\\s]+\\.[^@\\s.]+$';
const urlForm = '^https?://[^/?#\\s]\\S*$';

function fromText(text: Sql, to: Field): Conversion {
  switch (to.type) {
    case 'text':
    case 'relation':
      return { obstacles: [], value: text };
    case 'number':
      return { obstacles: [unlike(text, numericForm, 'are not numbers')], value: sql`(${text})::double precision` };
    case 'bool':
      return {
        obstacles: [{ condition: sql`${text} not in ('true', 'false', '1', '0')`, reason: 'are neither true nor false' }],
        value: sql`(${text})::boolean`,
      };
    case 'email':
      return { obstacles: [unlike(text, emailForm, 'are not e-mail addresses')], value: text };
    case 'url':
      return { obstacles: [unlike(text, urlForm, 'are not web addresses')], value: text };
    case 'date':
      return { obstacles: [unlike(text, dateForm, 'are not dates')], value: sql`(${text})::date` };
    case 'datetime':
      return { obstacles: [unlike(text, instantForm, 'are not times in RFC 3339 form')], value: sql`(${text})::timestamptz` };
    case 'select':
      return { obstacles: [{ condition: sql`${text} <> all (${optionsOf(to)})`, reason: 'are not among the options' }], value: text };
    case 'json':
      return { obstacles: [], value: sql`to_json(${text})` };
  }
}

function unlike(text: Sql, form: string, reason: string): Obstacle {
  return { condition: sql`${text} !~ ${sql.literal(form)}`, reason };
}

function isText(field: Field): boolean {
  return fieldTypes[field.type].column(field.options) === 'text';
}

function notBlank(text: Sql): Sql {
  return sql`nullif(${text}, '')`;
}

function listOf(text: Sql): Sql {
  return sql`array_remove(array[${text}], null)`;
}

function listJson(list: Sql): Sql {
  return sql`case when cardinality(${list}) > 0 then to_json(${list}) end`;
}

function optionsOf(field: Field): Sql {
  const { options } = field.options as SelectOptions;
  return sql`array[${sql.join(options.map(sql.literal))}]`;
}
