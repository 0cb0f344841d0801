import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import { programs } from '../../k8s/local/roles/programs.ts';
import { PostgresServer, type PostgresAddress } from './postgres-server.ts';

/** A database of a test's own, with all migrations applied and nothing in it. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** As superuser into the same database, for what the service's role may not do (ending others' connections). */
  readonly superuserUrl: string;
  readonly name: string;
  close(): Promise<void>;
}

/** Makes a database from the migrated template (some 50 ms). Its `close` drops it. On the run's server unless one is given, whose template must be made. */
export async function testDatabase(given?: PostgresAddress): Promise<TestDatabase> {
  const server = given ?? (await announcedServer());
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(server.superuserUrl, [`create database ${name} template ${templateName} owner svc strategy file_copy`]);
  const close = async (): Promise<void> => {
    await asSuperuser(server.superuserUrl, [`drop database if exists ${name} with (force)`]);
    if (given === undefined && server instanceof PostgresServer) await server.close();
  };
  const addresses = { url: withDatabase(server.url, name), superuserUrl: withDatabase(server.superuserUrl, name) };
  return { ...addresses, name, close, [Symbol.asyncDispose]: close };
}

/** Makes the template that `testDatabase` copies; once for each server. */
export async function prepareTemplate(server: PostgresAddress): Promise<void> {
  await asSuperuser(server.superuserUrl, [`create database ${templateName} owner svc`]);
  const url = withDatabase(server.url, templateName);
  await migrate(url);
  // No connection can block a copy, by accident or by autovacuum.
  await asSuperuser(server.superuserUrl, [`alter database ${templateName} with is_template true allow_connections false`]);
}

/** The variables by which a run tells its test files of the server they share. */
export const announcement = { url: 'SVC_TEST_DATABASE_URL', superuserUrl: 'SVC_TEST_SUPERUSER_URL' } as const;

const templateName = 'svc_template';

/** The run's server; a file that is run alone starts one for itself. */
async function announcedServer(): Promise<PostgresAddress> {
  const url = process.env[announcement.url];
  const superuserUrl = process.env[announcement.superuserUrl];
  if (url !== undefined && superuserUrl !== undefined) return { url, superuserUrl };
  const server = await PostgresServer.start();
  await prepareTemplate(server);
  return server;
}

/** By the same program as in production. */
async function migrate(url: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', SVC_ENV_FILE: 'none', DATABASE_URL: url, SVC_LOG_LEVEL: 'warn' };
  try {
    await promisify(execFile)(process.execPath, ['--enable-source-maps', programs.migrate], { env, timeout: 60_000 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`The template could not be migrated:\n${stdout}${stderr}`, { cause: error });
  }
}

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
