import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import type { RecordShape } from '../shape/shape.ts';

/** Whether each condition holds for the record of the id. */
export function selectVerdicts(shape: RecordShape, conditions: readonly Sql[]): Statement {
  const verdicts = conditions.map((condition) => sql`coalesce((${condition}), false)::text`);
  return unprepared(
    statement('rules.verdicts', sql`select ${sql.join([...verdicts, sql`'true'`])} from ${shape.table} record where record.id = ${sql.param(1)}`),
  );
}

/** The records for which the condition holds, as a list reads them. */
export function selectPassing(shape: RecordShape, condition: Sql): Statement {
  return statement('rules.passing', passing(shape, condition));
}

export function explainPassing(shape: RecordShape, condition: Sql): Statement {
  return unprepared(statement('rules.explain', sql`explain ${passing(shape, condition)}`));
}

function passing(shape: RecordShape, condition: Sql): Sql {
  return sql`select record.id from ${shape.table} record where (${condition}) order by record.created_at desc, record.id desc limit 30`;
}

/** Asked once. */
function unprepared(one: Statement): Statement {
  return { ...one, name: '' };
}
