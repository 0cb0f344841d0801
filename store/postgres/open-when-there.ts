import { setTimeout as wait } from 'node:timers/promises';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { ConfigError } from '../../proto/process/config.ts';
import type { Lifecycle } from '../../proto/process/lifecycle.ts';
import type { Database } from './database.ts';
import { sqlState } from './errors.ts';
import { serverFacts } from './server-facts.sql.ts';
import { StaleCatalogue } from './stale-catalogue.ts';

const againMs = 200;
const oldestServer = 150_000;
/** Enough for a transaction pooler to hand the statement to more than one of its connections. */
const preparedTrials = 24;

/** Opens the database, waiting for it as long as it takes to come up; what waiting cannot mend is a wrong configuration. */
export async function openWhenThere(database: Database, lifecycle: Pick<Lifecycle, 'log' | 'readiness' | 'draining'>): Promise<void> {
  lifecycle.readiness('postgres', () => database.isUp);
  for (let attempt = 1; !lifecycle.draining; attempt += 1) {
    try {
      await database.open();
      return await requireUsable(database);
    } catch (error) {
      requirePassing(error);
      if (attempt === 1) lifecycle.log.warn('Postgres does not answer yet; waiting for it');
      await wait(againMs);
    }
  }
}

async function requireUsable(database: Database): Promise<void> {
  const [first] = await Promise.all(Array.from({ length: preparedTrials }, () => database.query(serverFacts, [])));
  const [version, catalogue] = first?.[0] ?? [];
  if (Number(version) < oldestServer)
    throw new ConfigError([`DATABASE_URL: the server is Postgres ${Math.trunc(Number(version) / 10_000)}; 15 or newer is needed`]);
  if (catalogue === null)
    throw new ConfigError(['DATABASE_URL: the database has not been prepared yet; run `svc migrate` with the same DATABASE_URL']);
}

/** Class 28: login refused; 3D000: no such database; 26000 and 42P05: a pooler mixes up prepared statements. */
function requirePassing(error: unknown): void {
  if (error instanceof ConfigError) throw error;
  const state = sqlState(error instanceof SvcError || error instanceof StaleCatalogue ? error.cause : error) ?? '';
  if (/^(28|3D)/.test(state)) throw new ConfigError([`DATABASE_URL: Postgres refuses it (${error instanceof Error ? error.message : state})`]);
  if (state === '26000' || state === '42P05')
    throw new ConfigError(['SVC_PREPARED: the pooler in DATABASE_URL does not keep prepared statements; set SVC_PREPARED=off']);
  if (!(error instanceof SvcError)) throw error;
}
