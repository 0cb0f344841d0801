import { sql, type Sql } from '../../postgres/sql.ts';
import { joinTable, type ColumnShape, type ForeignKeyShape, type IndexShape, type TableShape } from './table-shape.ts';

// DDL takes no parameters: names go through sql.id, the few values through sql.literal, and types come from the field types.

export function dataTable(name: string): Sql {
  return sql.id('data', name);
}

/** The table with its system columns; fields, indexes and keys follow one by one, as they do when they are added later. */
export function createTable(shape: TableShape): Sql {
  return sql`
    create table ${dataTable(shape.table)} (
      id text collate "C" not null default gen_random_uuid()::text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      _seq bigint not null default nextval('svc.outbox_seq_seq'),
      _doc text,
      _doc_v bigint,
      ${sql.join(
        [...shape.columns.values()].map((column) => sql`${columnDefinition(column)},`),
        '\n      ',
      )}
      constraint ${sql.id(`pk_${shape.collectionId}`)} primary key (id)
    )`;
}

export function createTrigger(shape: TableShape): Sql {
  return sql`
    create trigger ${sql.id(`doc_${shape.collectionId}`)}
    before update on ${dataTable(shape.table)}
    for each row
    when (new._doc is not distinct from old._doc and new._doc_v is not distinct from old._doc_v and new *<> old)
    execute function svc.document_untracked()`;
}

/** Secrets and sessions go with the record of their account, in the same transaction. */
export function createAccountTriggers(shape: TableShape): readonly Sql[] {
  const table = dataTable(shape.table);
  const collection = sql.literal(shape.collectionId);
  return [
    sql`
    create trigger ${sql.id(`accounts_${shape.collectionId}_delete`)}
    after delete on ${table}
    referencing old table as gone
    for each statement
    execute function svc.accounts_deleted(${collection})`,
    sql`
    create trigger ${sql.id(`accounts_${shape.collectionId}_truncate`)}
    after truncate on ${table}
    for each statement
    execute function svc.accounts_truncated(${collection})`,
  ];
}

export function dropTable(name: string): Sql {
  return sql`drop table ${dataTable(name)}`;
}

export function renameTable(from: string, to: string): Sql {
  return sql`alter table ${dataTable(from)} rename to ${sql.id(to)}`;
}

export function renameColumn(table: string, from: string, to: string): Sql {
  return sql`alter table ${dataTable(table)} rename column ${sql.id(from)} to ${sql.id(to)}`;
}

/** With its default from the start, rows that exist have the value at once, without being written anew. */
export function addColumn(table: string, column: ColumnShape): Sql {
  return sql`alter table ${dataTable(table)} add column ${columnDefinition(column)}`;
}

export function dropColumn(table: string, name: string): Sql {
  return sql`alter table ${dataTable(table)} drop column ${sql.id(name)}`;
}

/** In one pass over the table: the old default and the old null rule stand in the way of the new type. */
export function changeColumnType(table: string, column: ColumnShape, using: Sql): Sql {
  const name = sql.id(column.name);
  return sql`
    alter table ${dataTable(table)}
    alter column ${name} drop default,
    alter column ${name} drop not null,
    alter column ${name} type ${columnType(column)} using ${using}`;
}

/** Null rule and default as the column is to have them. */
export function setColumnRules(table: string, column: ColumnShape): Sql {
  const name = sql.id(column.name);
  const fallback = column.default === null ? sql`drop default` : sql`set default ${defaultValue(column)}`;
  return sql`
    alter table ${dataTable(table)}
    alter column ${name} ${fallback},
    alter column ${name} ${column.isList ? sql`set not null` : sql`drop not null`}`;
}

export function setColumnDefault(table: string, column: ColumnShape): Sql {
  const fallback = column.default === null ? sql`drop default` : sql`set default ${defaultValue(column)}`;
  return sql`alter table ${dataTable(table)} alter column ${sql.id(column.name)} ${fallback}`;
}

/** Gives every record the value that the expression makes of the row `record`. */
export function setColumn(table: string, column: string, value: Sql): Sql {
  return sql`
    update ${dataTable(table)} record
    set ${sql.id(column)} = ${value}`;
}

/** Blank text is a value of a text only. */
export function clearBlank(table: string, column: string): Sql {
  return sql`
    update ${dataTable(table)}
    set ${sql.id(column)} = null
    where ${sql.id(column)} = ''`;
}

export function createIndex(shape: TableShape, index: IndexShape): Sql {
  const parts = index.parts.map((part) => {
    const column = sql.id(columnName(shape, part.column));
    return sql`${part.ignoresCase ? sql`lower(${column})` : column}${part.descending ? sql` desc` : sql.empty}`;
  });
  return sql`create ${index.unique ? sql`unique ` : sql.empty}index ${sql.id(index.name)} on ${dataTable(shape.table)} (${sql.join(parts)})`;
}

export function dropIndex(name: string): Sql {
  return sql`drop index ${sql.id('data', name)}`;
}

/** `no action deferrable`: what follows from a delete the service carries out itself; the key is the net beneath. */
export function addForeignKey(shape: TableShape, key: ForeignKeyShape, target: string): Sql {
  const column = sql.id(columnName(shape, key.field.id));
  return sql`
    alter table ${dataTable(shape.table)}
    add constraint ${sql.id(key.name)} foreign key (${column}) references ${dataTable(target)} (id) deferrable initially deferred`;
}

export function dropConstraint(table: string, name: string): Sql {
  return sql`alter table ${dataTable(table)} drop constraint ${sql.id(name)}`;
}

export function createJoin(fieldId: string): Sql {
  return sql`
    create table ${dataTable(joinTable(fieldId))} (
      record text collate "C" not null,
      target text collate "C" not null,
      position integer not null,
      constraint ${sql.id(`pk_${fieldId}`)} primary key (record, target)
    )`;
}

export function createJoinIndex(fieldId: string): Sql {
  return sql`create index ${sql.id(`ix_${fieldId}`)} on ${dataTable(joinTable(fieldId))} (target)`;
}

/** Links go with the record that has them. */
export function addJoinOwner(fieldId: string, table: string): Sql {
  return sql`
    alter table ${dataTable(joinTable(fieldId))}
    add constraint ${sql.id(`fk_${fieldId}_record`)} foreign key (record) references ${dataTable(table)} (id) on delete cascade deferrable initially deferred`;
}

export function addJoinTarget(fieldId: string, target: string): Sql {
  return sql`
    alter table ${dataTable(joinTable(fieldId))}
    add constraint ${sql.id(`fk_${fieldId}`)} foreign key (target) references ${dataTable(target)} (id) deferrable initially deferred`;
}

/** Edits of links by hand make their owners' documents stale. One trigger per event: that is how transition tables come. */
export function createJoinTriggers(fieldId: string, collectionId: string): readonly Sql[] {
  const events = [
    { name: 'insert', rows: sql`new table as changed` },
    { name: 'delete', rows: sql`old table as changed` },
    { name: 'update', rows: sql`new table as changed` },
  ];
  return events.map(
    ({ name, rows }) => sql`
    create trigger ${sql.id(`doc_${fieldId}_${name}`)}
    after ${sql.expression(name)} on ${dataTable(joinTable(fieldId))}
    referencing ${rows}
    for each statement
    execute function svc.links_untracked(${sql.literal(collectionId)})`,
  );
}

/** Fills a join table from lists of ids, one for each record. */
export function fillJoin(fieldId: string, table: string, list: Sql): Sql {
  return sql`
    insert into ${dataTable(joinTable(fieldId))} (record, target, position)
    select record.id, link.target, link.position - 1
    from ${dataTable(table)} record
    cross join unnest(${list}) with ordinality link (target, position)`;
}

export function lockTable(table: string, mode: string): Sql {
  return sql`lock table ${dataTable(table)} in ${sql.expression(mode)} mode`;
}

function columnDefinition(column: ColumnShape): Sql {
  const fallback = column.default === null ? sql.empty : sql` default ${defaultValue(column)}`;
  return sql`${sql.id(column.name)} ${columnType(column)}${column.isList ? sql` not null` : sql.empty}${fallback}`;
}

/** Text sorts by code point everywhere: in Postgres, in the rules' predicates, on every machine. */
function columnType({ type }: ColumnShape): Sql {
  return type.startsWith('text') ? sql`${sql.expression(type)} collate "C"` : sql.expression(type);
}

function defaultValue(column: ColumnShape): Sql {
  return sql`${sql.literal(column.default ?? '')}::${sql.expression(column.type)}`;
}

function columnName(shape: TableShape, column: string): string {
  return shape.columns.get(column)?.name ?? column;
}
