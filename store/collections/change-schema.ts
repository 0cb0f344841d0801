import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../proto/errors/svc-error.ts';
import type { Clock } from '../../proto/values/time.ts';
import type { Database } from '../postgres/database.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Catalogue, Schema } from './catalogue.ts';
import { lockCatalogue } from './collections.sql.ts';
import { schemaWithin } from './fresh-schema.ts';

/** What the use cases on collections stand on. */
export interface CollectionDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** How long a change waits for a table; 2 s unless said. */
  readonly lockTimeoutMs?: number;
}

/** What a caller may ask of a change beside the change itself. */
export interface PlanRequest {
  /** Only say what would be done. */
  readonly only: boolean;
  /** Refuse where the plan made now has another hash; empty: not asked. */
  readonly hash: string;
}

/** Wraps the work of a change inside its transaction, for instance to keep its answer under an idempotency key. */
export type Around = (tx: Transaction, work: () => Promise<string>) => Promise<string>;

export interface SchemaChange {
  readonly label: string;
  readonly plan: PlanRequest;
  readonly around?: Around | undefined;
}

/** The transaction of a change, and the schema that it found and holds still. */
export interface SchemaWork {
  readonly tx: Transaction;
  readonly schema: Schema;
}

/** A statement that waits longer for a table makes all others queue behind it; better to step aside and come back. */
const usualLockTimeoutMs = 2_000;
const statementTimeoutMs = 60_000;
const attemptsMax = 3;
const pauseMs = 100;

const passingStates: ReadonlySet<string> = new Set([sqlStates.lockNotAvailable, sqlStates.deadlockDetected, sqlStates.serializationFailure]);

/** Runs one change of schema in one transaction, behind all others in the cluster; a table that stays in use is `schema_busy`. */
export async function changeSchema(deps: CollectionDeps, change: SchemaChange, work: (within: SchemaWork) => Promise<string>): Promise<string> {
  const lockTimeoutMs = deps.lockTimeoutMs ?? usualLockTimeoutMs;
  const answer = await untilFree(() =>
    deps.database.transaction({ label: change.label, lockTimeoutMs, statementTimeoutMs }, (tx) => {
      const run = () => withLockedSchema(tx, change.plan, work);
      return change.around === undefined || change.plan.only ? run() : change.around(tx, run);
    }),
  );
  if (!change.plan.only) await refresh(deps.catalogue);
  return answer;
}

/** A plan changes nothing and so holds nobody up. */
async function withLockedSchema(tx: Transaction, plan: PlanRequest, work: (within: SchemaWork) => Promise<string>): Promise<string> {
  if (!plan.only) await tx.execute(lockCatalogue, []);
  return work({ tx, schema: await schemaWithin(tx) });
}

async function untilFree(attempt: () => Promise<string>): Promise<string> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (state === sqlStates.queryCanceled) fail('timed_out', {}, error);
      if (!passingStates.has(state)) throw error;
      if (attempts === attemptsMax) fail('schema_busy', {}, error);
      await sleep(pauseMs * attempts);
    }
  }
}

/** Thrift only: the change is committed, and a copy that is old is noticed by the statements that use it. */
async function refresh(catalogue: Catalogue): Promise<void> {
  await catalogue.reload(catalogue.loaded).catch(() => undefined);
}
