import { readConfig, text } from '../proto/process/config.ts';
import { runTask } from '../proto/process/lifecycle.ts';
import { applyMigrations } from './migrations/apply-migrations.ts';

const address = text('the address of a Postgres database, such as postgres://user:password@host:5432/name', /^postgres(ql)?:\/\/\S+$/);

runTask('migrate', async (log) => {
  const { DATABASE_DIRECT_URL: direct, DATABASE_URL: usual } = readConfig({
    DATABASE_DIRECT_URL: address.optional(),
    DATABASE_URL: address.optional(),
  });
  const url = direct ?? usual ?? readConfig({ DATABASE_URL: address }).DATABASE_URL;
  const applied = await applyMigrations({ url, log: (line) => log.debug(line) });
  log.info({ applied }, applied.length === 0 ? 'the database is up to date' : 'the database has been migrated');
});
