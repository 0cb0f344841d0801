import { Backoff } from '../../proto/process/backoff.ts';
import { configExitCode } from '../../proto/process/config-error.ts';
import { onLines } from './terminal/lines.ts';
import type { ProcessExit, RoleProcess } from './roles/role-process.ts';

export interface MigrationInput {
  /** Starts the migration; its output is piped. */
  readonly launch: () => RoleProcess;
  /** Told of a failure that is tried again. */
  readonly onRetry: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** Applies the migrations; a database that is not there yet is waited for, some 20 seconds. Rejects with why it could not be done. */
export async function migrateDatabase(input: MigrationInput): Promise<void> {
  const backoff = new Backoff({ firstMs: 500, maxMs: 8_000 });
  for (;;) {
    const { exit, said } = await runOnce(input);
    if (exit.code === 0 || input.signal.aborted) return;
    if (exit.code === configExitCode) throw new Error(said);
    if (backoff.failures === retries) throw new Error(`the database could not be migrated: ${reasonIn(said)}`);
    input.onRetry(reasonIn(said));
    await new Promise((resolve) => setTimeout(resolve, backoff.next()));
  }
}

const retries = 6;
const saidLinesMax = 40;

async function runOnce({ launch, signal }: MigrationInput): Promise<{ readonly exit: ProcessExit; readonly said: string }> {
  const migration = launch();
  const lines: string[] = [];
  for (const stream of migration.streams) onLines(stream, (line) => void (lines.length < saidLinesMax && lines.push(line)));
  const stop = (): void => migration.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const exit = await migration.ended;
  signal.removeEventListener('abort', stop);
  return { exit, said: lines.join('\n') };
}

/** The message of the last log line that has an error. */
function reasonIn(said: string): string {
  const messages = [...said.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1] ?? ''}"`) as string);
  return (messages.at(-1) ?? said.trim().split('\n').at(-1) ?? '').split('\n')[0] ?? '';
}
