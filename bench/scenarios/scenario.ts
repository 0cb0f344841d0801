import type { Service } from '../cluster/service.ts';
import type { Connection } from '../load/connection.ts';
import type { Contender } from '../measure/interleave.ts';

export type ScenarioName = 'get' | 'list' | 'list-sorted' | 'create' | 'scale-out' | 'filtered' | 'walk' | 'owned' | 'owned-get';

/** What a scenario may use: the running service, its Postgres, and how many records the read collection holds. */
export interface Stage {
  readonly service: Service;
  readonly postgres: Connection;
  readonly rows: number;
}

/** One question asked of the whole service, beside the same question asked of Postgres by pgbench. */
export interface Scenario {
  readonly name: ScenarioName;
  readonly title: string;
  /** Makes the contenders; refuses when both sides would not answer the same. */
  prepare(stage: Stage): Promise<readonly Contender[]>;
  /** Checked after all repeats: what the load left behind is whole. */
  verify?(stage: Stage): Promise<void>;
  /** Gives back what `prepare` took beyond files. */
  tidy?(stage: Stage): Promise<void>;
}

export const SERVICE = 'service';
export const PGBENCH = 'pgbench';
export const CONNECTIONS = 64;
