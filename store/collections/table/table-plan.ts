import type { CollectionDefinition } from '../../../proto/schema/collection.ts';
import { alterationSteps } from './alteration.ts';
import { consequencesOf, type Consequences } from './consequences.ts';
import { creationSteps, removalSteps } from './creation.ts';
import type { TableLock, TableStep, Work } from './step.ts';
import { tableShape, type TableShape } from './table-shape.ts';

export type { CheckStep, StatementStep, TableLock, TableStep } from './step.ts';

export interface TablePlan extends Consequences {
  readonly steps: readonly TableStep[];
  /** Taken before the first step, in the order of the names, so that two changes do not wait for each other. */
  readonly locks: readonly TableLock[];
  readonly rewrites: boolean;
}

/** Where a collection's table is now, and what it is to become; no `before` makes it, no `after` removes it. */
export interface TableChange {
  readonly before: CollectionDefinition | undefined;
  readonly after: CollectionDefinition | undefined;
  /** The name that the table of a collection has while the steps run, by the collection's id. */
  readonly tableOf: (collectionId: string) => string;
}

/** What has to be done to Postgres so that the table of `before` is the table of `after`. Pure: no names are drawn, nothing is asked. */
export function tablePlan(change: TableChange): TablePlan {
  const { before, after, tableOf } = change;
  const { steps, locks } = work(before && tableShape(before), after && tableShape(after), tableOf);
  return {
    steps,
    locks: mergeLocks(locks),
    rewrites: steps.some((step) => step.kind === 'statement' && step.rewrites === true),
    ...consequencesOf(before, after),
  };
}

function work(before: TableShape | undefined, after: TableShape | undefined, tableOf: TableChange['tableOf']): Work {
  if (before !== undefined && after !== undefined) return alterationSteps(before, after, tableOf);
  if (after !== undefined) return creationSteps(after, tableOf);
  return before === undefined ? { steps: [], locks: [] } : removalSteps(before, tableOf);
}

/** One lock for each table, the strongest that is asked. */
function mergeLocks(locks: readonly TableLock[]): readonly TableLock[] {
  const modes = new Map<string, TableLock['mode']>();
  for (const { table, mode } of locks) {
    if (modes.get(table) !== 'access exclusive') modes.set(table, mode);
  }
  return [...modes].map(([table, mode]) => ({ table, mode })).toSorted((one, other) => (one.table < other.table ? -1 : 1));
}
