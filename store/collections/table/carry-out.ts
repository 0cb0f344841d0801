import { fail, fault } from '../../../proto/errors/svc-error.ts';
import type { Field } from '../../../proto/fields/field-type.ts';
import type { CollectionDefinition } from '../../../proto/schema/collection.ts';
import { constraintOf, sqlState, sqlStates } from '../../postgres/errors.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { CheckStep, StatementStep } from './step.ts';
import { lockTable } from './table.sql.ts';
import type { TablePlan } from './table-plan.ts';
import { tableShape } from './table-shape.ts';

/** What Postgres may say to a statement of a plan that is the records' or somebody else's doing, not ours. */
const states = {
  tooLongForIndex: '54000',
  duplicateTable: '42P07',
  duplicateObject: '42710',
  objectInUse: '55006',
} as const;
const dataException = /^22/;
/** A view or the like stands on the table, or the table is not as we made it. */
const foreignHands: ReadonlySet<string> = new Set(['2BP01', '0A000', '42P01', '42703', '42704', '42809', '42P16']);

/** Does what the plan says; what the stored records do not allow fails with `data_conflict` and names the field. */
export async function carryOut(tx: Transaction, plan: TablePlan, definition: CollectionDefinition): Promise<void> {
  await explained(definition, undefined, async () => {
    for (const { table, mode } of plan.locks) await tx.query('collections.lock-table', lockTable(table, mode));
  });
  for (const step of plan.steps) await explained(definition, step.field, () => take(tx, step, definition));
}

async function take(tx: Transaction, step: StatementStep | CheckStep, definition: CollectionDefinition): Promise<void> {
  if (step.kind === 'statement') {
    await tx.query('collections.alter', step.statement);
    return;
  }
  const found = await tx.query('collections.check', step.question);
  if (found.length > 0) conflict(definition, step.field, step.reason);
}

async function explained(definition: CollectionDefinition, field: Field | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    explain(definition, field, error);
  }
}

function explain(definition: CollectionDefinition, field: Field | undefined, error: unknown): never {
  const state = sqlState(error) ?? '';
  const subject = field === undefined ? 'a field' : `the field ${field.name}`;
  switch (state) {
    case sqlStates.uniqueViolation:
      return conflict(definition, field, `some records have equal values of ${uniqueSubject(definition, error) ?? subject}`, error);
    case sqlStates.foreignKeyViolation:
      return conflict(definition, field, `some values of ${subject} are not ids of records in the collection it refers to`, error);
    case sqlStates.tooManyColumns:
      return conflict(
        definition,
        field,
        'the table has had 1,600 columns, counting dropped ones, which is the most that Postgres allows; move the records to a new collection',
        error,
      );
    case states.tooLongForIndex:
      return conflict(definition, field, `some values of ${subject} are too long for an index`, error);
    case states.duplicateTable:
    case states.duplicateObject:
      return conflict(definition, field, 'something that the service has not made has this name in the schema data of the database', error);
    case states.objectInUse:
      return fail('schema_busy', {}, error);
  }
  if (dataException.test(state)) return conflict(definition, field, `some values of ${subject} cannot be converted`, error);
  if (foreignHands.has(state))
    return conflict(definition, field, 'the table has been changed by hand, or something in the database such as a view depends on it', error);
  throw error;
}

function uniqueSubject(definition: CollectionDefinition, error: unknown): string | undefined {
  const index = tableShape(definition).indexes.get(constraintOf(error) ?? '');
  return index === undefined || index.fields.length === 0 ? undefined : index.fields.map((field) => field.name).join(' and ');
}

function conflict(definition: CollectionDefinition, field: Field | undefined, reason: string, cause?: unknown): never {
  const index = definition.fields.findIndex(({ id }) => id === field?.id);
  const data =
    index === -1 ? {} : { [`fields.${index}`]: fault('invalid_option', { reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` }) };
  return fail('data_conflict', { values: { reason }, data }, cause);
}
