import type { Field } from '../../../proto/fields/field-type.ts';
import { run, type TableStep } from './step.ts';
import { renameColumn, renameTable } from './table.sql.ts';
import type { TableShape } from './table-shape.ts';

/** What a column is called whose values are about to move to a join table; no field's name begins with an underscore. */
export function retiredName(fieldId: string): string {
  return `_old_${fieldId}`;
}

/** Gives the table and its columns their new names. Fields may take each other's names, so some go by a name of passage. */
export function renameSteps(before: TableShape, after: TableShape): readonly TableStep[] {
  const steps: TableStep[] = before.table === after.table ? [] : [run(renameTable(before.table, after.table))];
  const names = namesOfKept(before, after);
  const pending = renamesOf(before, after);
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { field, to } = next;
    const from = names.get(field.id) ?? '';
    const isFree = ![...names.values()].includes(to);
    const name = isFree ? to : `_via_${field.id}`;
    steps.push(run(renameColumn(after.table, from, name), field));
    names.set(field.id, name);
    if (!isFree) pending.push(next);
  }
  return steps;
}

interface Rename {
  readonly field: Field;
  readonly to: string;
}

function renamesOf(before: TableShape, after: TableShape): Rename[] {
  const renames: Rename[] = [];
  for (const { field, name } of before.columns.values()) {
    const to = newName(after, field.id);
    if (to !== undefined && to !== name) renames.push({ field, to });
  }
  return renames;
}

function namesOfKept(before: TableShape, after: TableShape): Map<string, string> {
  const kept = [...before.columns.values()].filter(({ field }) => newName(after, field.id) !== undefined);
  return new Map(kept.map(({ field, name }) => [field.id, name]));
}

function newName(after: TableShape, fieldId: string): string | undefined {
  return after.columns.get(fieldId)?.name ?? (after.joins.has(fieldId) ? retiredName(fieldId) : undefined);
}
