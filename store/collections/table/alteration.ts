import type { Field } from '../../../proto/fields/field-type.ts';
import { convertColumn, convertLinks, convertToLinks, type Conversion } from './conversion.sql.ts';
import { foreignKeyStep, indexStep, joinParts, targetTable } from './creation.ts';
import { goneOrChanged, indexMark, isConverted, joinMark, keyMark, newOrChanged } from './differences.ts';
import { renameSteps, retiredName } from './renames.ts';
import { lacksValue, someRecord } from './requirement.sql.ts';
import { check, rewrite, run, runBesideReaders, type TableLock, type TableStep, type Work } from './step.ts';
import {
  addColumn,
  addJoinTarget,
  changeColumnType,
  clearBlank,
  createJoin,
  dropColumn,
  dropConstraint,
  dropIndex,
  dropTable,
  fillJoin,
  setColumn,
  setColumnDefault,
  setColumnRules,
} from './table.sql.ts';
import { joinTable, type ColumnShape, type JoinShape, type TableShape } from './table-shape.ts';

/** Two shapes of one table, and how the tables of other collections are called. */
interface Alteration {
  readonly before: TableShape;
  readonly after: TableShape;
  readonly tableOf: (collectionId: string) => string;
}

/**
 * Changes the table of `before` into that of `after`. The order: what stands in the way goes first (keys, indexes, columns
 * that are dropped), then names, then types and places of values, then what must hold of the result (indexes, keys, required values).
 */
export function alterationSteps(before: TableShape, after: TableShape, tableOf: Alteration['tableOf']): Work {
  const change: Alteration = { before, after, tableOf };
  const steps = [
    ...dropKeys(change),
    ...dropIndexes(change),
    ...dropFields(change),
    ...renameSteps(before, after),
    ...convertColumns(change),
    ...addColumns(change),
    ...moveToJoins(change),
    ...addJoins(change),
    ...retargetJoins(change),
    ...changeDefaults(change),
    ...newOrChanged(before.indexes, after.indexes, indexMark).map((index) => indexStep(after, index)),
    ...newOrChanged(before.foreignKeys, after.foreignKeys, keyMark).map((key) => foreignKeyStep(after, key, tableOf)),
    ...requireValues(change),
  ];
  return { steps, locks: locksOf(change, steps) };
}

function dropKeys({ before, after }: Alteration): readonly TableStep[] {
  const gone = goneOrChanged(before.foreignKeys, after.foreignKeys, keyMark);
  return gone.filter((key) => after.columns.has(key.field.id)).map((key) => run(dropConstraint(before.table, key.name), key.field));
}

function dropIndexes({ before, after }: Alteration): readonly TableStep[] {
  return goneOrChanged(before.indexes, after.indexes, indexMark).map((index) => run(dropIndex(index.name)));
}

function dropFields({ before, after }: Alteration): readonly TableStep[] {
  const isGone = ({ field }: { readonly field: Field }) => !after.columns.has(field.id) && !after.joins.has(field.id);
  return [
    ...[...before.columns.values()].filter(isGone).map((column) => run(dropColumn(before.table, column.name), column.field)),
    ...[...before.joins.values()].filter(isGone).map((join) => run(dropTable(joinTable(join.field.id)), join.field)),
  ];
}

/** Columns that stay columns, and hold values of another type afterwards. */
function convertColumns({ before, after }: Alteration): readonly TableStep[] {
  return [...after.columns.values()].flatMap((column) => {
    const old = before.columns.get(column.field.id);
    if (old === undefined || !isConverted(old, column)) return [];
    const conversion = convertColumn(old.field, column.field, column.name);
    return [...obstacleSteps(after.table, old.field, column.field, conversion), ...retypeSteps(after.table, old, column, conversion)];
  });
}

function retypeSteps(table: string, old: ColumnShape, column: ColumnShape, { value }: Conversion): readonly TableStep[] {
  if (old.type !== column.type) {
    return [rewrite(changeColumnType(table, column, value), column.field), run(setColumnRules(table, column), column.field)];
  }
  return column.field.type === 'text' ? [] : [rewrite(clearBlank(table, column.name), column.field)];
}

function addColumns({ before, after }: Alteration): readonly TableStep[] {
  return [...after.columns.values()].flatMap((column): readonly TableStep[] => {
    if (before.columns.has(column.field.id)) return [];
    const links = before.joins.get(column.field.id);
    return links === undefined ? [run(addColumn(after.table, column), column.field)] : moveFromJoin(after.table, links, column);
  });
}

/** The column begins without its default: a record without links has no value, whatever new records are given. */
function moveFromJoin(table: string, { field }: JoinShape, column: ColumnShape): readonly TableStep[] {
  const conversion = convertLinks(field, column.field);
  return [
    ...obstacleSteps(table, field, column.field, conversion),
    run(addColumn(table, { ...column, isList: false, default: null }), column.field),
    rewrite(setColumn(table, column.name, conversion.value), column.field),
    run(setColumnRules(table, column), column.field),
    run(dropTable(joinTable(field.id)), field),
  ];
}

/** A column whose values become links: it has been renamed out of the way before. */
function moveToJoins({ before, after, tableOf }: Alteration): readonly TableStep[] {
  return [...after.joins.values()].flatMap((join) => {
    const old = before.columns.get(join.field.id);
    if (old === undefined) return [];
    const name = retiredName(join.field.id);
    const { value } = convertToLinks(old.field, name);
    return [
      run(createJoin(join.field.id), join.field),
      rewrite(fillJoin(join.field.id, after.table, value), join.field),
      ...joinParts(after, join, tableOf),
      run(dropColumn(after.table, name), join.field),
    ];
  });
}

function addJoins({ before, after, tableOf }: Alteration): readonly TableStep[] {
  const added = [...after.joins.values()].filter(({ field }) => !before.joins.has(field.id) && !before.columns.has(field.id));
  return added.flatMap((join) => [runBesideReaders(createJoin(join.field.id), join.field), ...joinParts(after, join, tableOf)]);
}

function retargetJoins({ before, after, tableOf }: Alteration): readonly TableStep[] {
  return [...after.joins.values()].flatMap(({ field, targetId }) => {
    const old = before.joins.get(field.id);
    if (old === undefined || old.targetId === targetId) return [];
    const target = targetTable(after, targetId, tableOf);
    return [run(dropConstraint(joinTable(field.id), `fk_${field.id}`), field), run(addJoinTarget(field.id, target), field)];
  });
}

function changeDefaults({ before, after }: Alteration): readonly TableStep[] {
  return [...after.columns.values()].flatMap((column) => {
    const old = before.columns.get(column.field.id);
    const isSettled = old === undefined || old.type !== column.type || old.default === column.default;
    return isSettled ? [] : [run(setColumnDefault(after.table, column), column.field)];
  });
}

/** What is newly required, or newly made of other values, is looked at when all values are in place. */
function requireValues({ before, after }: Alteration): readonly TableStep[] {
  const fields = [...after.columns.values(), ...after.joins.values()].map(({ field }) => field);
  return fields.flatMap((field) => {
    const old = before.columns.get(field.id)?.field ?? before.joins.get(field.id)?.field;
    const isKnown = old?.required === true && old.type === field.type;
    if (!field.required || isKnown) return [];
    return [
      check(someRecord(after.table, lacksValue(field)), field, `some records have no value for the field ${field.name}, which is to be required`),
    ];
  });
}

function obstacleSteps(table: string, from: Field, to: Field, { obstacles }: Conversion): readonly TableStep[] {
  return obstacles.map(({ condition, reason }) =>
    check(
      someRecord(table, condition),
      to,
      `some values of the field ${to.name} ${reason}, so they cannot become ${to.type} (they are ${from.type})`,
    ),
  );
}

function locksOf({ before, after, tableOf }: Alteration, steps: readonly TableStep[]): readonly TableLock[] {
  if (steps.length === 0) return [];
  const mode = steps.some((step) => step.kind === 'statement' && step.sparesReaders === undefined) ? 'access exclusive' : 'share row exclusive';
  const name = (id: string) => (id === before.collectionId ? before.table : tableOf(id));
  const gone = [...goneOrChanged(before.foreignKeys, after.foreignKeys, keyMark), ...goneOrChanged(before.joins, after.joins, joinMark)];
  const made = [...newOrChanged(before.foreignKeys, after.foreignKeys, keyMark), ...newOrChanged(before.joins, after.joins, joinMark)];
  return [
    { table: before.table, mode },
    ...gone.map(({ targetId }): TableLock => ({ table: name(targetId), mode: 'access exclusive' })),
    ...made.map(({ targetId }): TableLock => ({ table: name(targetId), mode: 'share row exclusive' })),
  ];
}
