import { libpqEnvironment, type Connection } from './connection.ts';
import { runToolOrFail } from './tool.ts';

/** Runs statements one after another, each in its own transaction; answers the lines they print, unaligned. */
export async function psql(connection: Connection, statements: string): Promise<string[]> {
  const output = await runToolOrFail({
    command: 'psql',
    args: ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-f', '-'],
    environment: libpqEnvironment(connection),
    input: statements,
    timeoutMs: 300_000,
  });
  return output.stdout.split('\n').filter((line) => line !== '');
}
