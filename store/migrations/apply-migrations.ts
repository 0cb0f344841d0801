import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

export interface MigrationOptions {
  /** A direct address: the lock that serialises runners belongs to a session, which a transaction pooler does not give. */
  readonly url: string;
  readonly log: (line: string) => void;
}

const connectTimeoutMs = 10_000;

/** How long this runner waits for another one, or a migration for a table, before it gives up. */
const lockWaitMs = 60_000;

/** The statements are not compiled: from dist/store/migrations they are found in store/migrations. */
const folder = fileURLToPath(new URL('../../../store/migrations', import.meta.url));

/** Applies the migrations that the database lacks, all or none; runners that start together wait for each other. Answers their names. */
export async function applyMigrations({ url, log }: MigrationOptions): Promise<readonly string[]> {
  const applied = await runner({
    databaseUrl: { connectionString: url, connectionTimeoutMillis: connectTimeoutMs, lock_timeout: lockWaitMs, application_name: 'svc migrate' },
    dir: folder,
    ignorePattern: '(?!.*\\.sql$).*',
    direction: 'up',
    migrationsSchema: 'svc',
    createMigrationsSchema: true,
    migrationsTable: 'migrations',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    log,
  });
  return applied.map(({ name }) => name);
}
