import { run, runBesideReaders, type StatementStep, type TableLock, type Work } from './step.ts';
import {
  addForeignKey,
  addJoinOwner,
  addJoinTarget,
  createAccountTriggers,
  createIndex,
  createJoin,
  createJoinIndex,
  createJoinTriggers,
  createTable,
  createTrigger,
  dropTable,
} from './table.sql.ts';
import { joinTable, type ForeignKeyShape, type IndexShape, type JoinShape, type TableShape } from './table-shape.ts';

type TableOf = (collectionId: string) => string;

/** Makes the table, with all that belongs to it. */
export function creationSteps(shape: TableShape, tableOf: TableOf): Work {
  const targets = [...shape.foreignKeys.values(), ...shape.joins.values()].map(({ targetId }) => targetId);
  const others = targets.filter((id) => id !== shape.collectionId);
  return {
    locks: others.map((id): TableLock => ({ table: tableOf(id), mode: 'share row exclusive' })),
    steps: [
      run(createTable(shape)),
      run(createTrigger(shape)),
      ...(shape.hasAccounts ? createAccountTriggers(shape).map((trigger) => run(trigger)) : []),
      ...[...shape.joins.values()].flatMap((join) => [run(createJoin(join.field.id), join.field), ...joinParts(shape, join, tableOf)]),
      ...[...shape.indexes.values()].map((index) => indexStep(shape, index)),
      ...[...shape.foreignKeys.values()].map((key) => foreignKeyStep(shape, key, tableOf)),
    ],
  };
}

/** Removes the table with its join tables. The tables it refers to are locked too: their side of each key goes with it. */
export function removalSteps(shape: TableShape, tableOf: TableOf): Work {
  const targets = [...shape.foreignKeys.values(), ...shape.joins.values()].map(({ targetId }) => tableOf(targetId));
  const joins = [...shape.joins.keys()].map(joinTable);
  return {
    locks: [shape.table, ...joins, ...targets].map((table): TableLock => ({ table, mode: 'access exclusive' })),
    steps: [...joins, shape.table].map((table) => run(dropTable(table))),
  };
}

/** What a join table has beside its columns; added when it is full, so that its rows are checked once. */
export function joinParts(shape: TableShape, { field, targetId }: JoinShape, tableOf: TableOf): readonly StatementStep[] {
  return [
    runBesideReaders(createJoinIndex(field.id), field),
    runBesideReaders(addJoinOwner(field.id, shape.table), field),
    runBesideReaders(addJoinTarget(field.id, targetTable(shape, targetId, tableOf)), field),
    ...createJoinTriggers(field.id, shape.collectionId).map((trigger) => runBesideReaders(trigger, field)),
  ];
}

export function indexStep(shape: TableShape, index: IndexShape): StatementStep {
  return runBesideReaders(createIndex(shape, index), index.fields[0]);
}

export function foreignKeyStep(shape: TableShape, key: ForeignKeyShape, tableOf: TableOf): StatementStep {
  return runBesideReaders(addForeignKey(shape, key, targetTable(shape, key.targetId, tableOf)), key.field);
}

/** A collection that refers to itself does so under the name that it has by then. */
export function targetTable(shape: TableShape, targetId: string, tableOf: TableOf): string {
  return targetId === shape.collectionId ? shape.table : tableOf(targetId);
}
