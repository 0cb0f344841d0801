import { sql, type Sql } from '../../postgres/sql.ts';
import type { Sight } from '../shape/document.ts';
import type { RecordShape, ShapeField } from '../shape/shape.ts';

/** The document of the row `record`: the stored one while it is current, else made from the columns in the same statement. */
export function documentSql(shape: RecordShape, sight: Sight): Sql {
  if (sight === 'full' && shape.hasHidden) return builtDocument(shape.fields);
  const visible = shape.fields.filter((field) => !field.isHidden);
  return sql`case when record._doc_v = ${sql.integer(shape.collection.docVersion)} then record._doc else ${builtDocument(visible)} end`;
}

/** The stored document of the row `record` while it is current, null when not: reading it costs Postgres no expression at all. */
export function storedDocument(shape: RecordShape): Sql {
  return sql`case when record._doc_v = ${sql.integer(shape.collection.docVersion)} then record._doc end`;
}

/** A document with the system fields and `fields`, made from the columns of the row `record`. */
export function builtDocument(fields: readonly ShapeField[]): Sql {
  return sql`'{' || ${sql.join([...systemMembers.values(), ...fields.map(memberSql)], ` || ',' || `)} || '}'`;
}

/** A document with just the members `names`, in that order. */
export function projectedDocument(shape: RecordShape, names: readonly string[]): Sql {
  const members = names.map((name) => {
    const field = shape.byName.get(name);
    return field === undefined ? (systemMembers.get(name) ?? sql`''`) : memberSql(field);
  });
  return sql`'{' || ${sql.join(members, ` || ',' || `)} || '}'`;
}

/** An instant as the wire writes it. */
function instantText(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const systemMembers: ReadonlyMap<string, Sql> = new Map([
  ['id', sql`'"id":' || to_json(record.id)::text`],
  ['created_at', sql`'"created_at":"' || ${instantText(sql`record.created_at`)} || '"'`],
  ['updated_at', sql`'"updated_at":"' || ${instantText(sql`record.updated_at`)} || '"'`],
]);

function memberSql(field: ShapeField): Sql {
  const json = sql.expression(field.jsonOf('record'));
  return sql`${sql.literal(`"${field.name}":`)} || coalesce((${json})::text, 'null')`;
}
