// A program: keeps one throw-away Postgres for the process that forked it, and removes it when that process is gone, however it went.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgres } from '../../k8s/local/postgres/embedded-postgres.ts';
import { placePostgres } from '../../k8s/local/postgres/placement.ts';
import { postgresEnvironment } from '../../k8s/local/postgres/postgres-environment.ts';

/** What the keeper tells when the server runs, when it has ended as it was told to, or why it does not run. */
export type KeeperMessage =
  | { readonly kind: 'up'; readonly url: string; readonly superuserUrl: string }
  | { readonly kind: 'down' }
  | { readonly kind: 'failed'; readonly reason: string };

/** What the keeper is told: to end the server by a signal, its data kept, and to start it again. */
export type KeeperOrder = { readonly kind: 'stop'; readonly signal: NodeJS.Signals } | { readonly kind: 'start' };

// Passwords that everybody may know: the server lives in a closed folder for the length of a test run.
const passwords = { superuser: 'throwaway', service: 'throwaway' };

async function keep(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-test-'));
  const place = await placePostgres({
    home: path.join(folder, 'postgres'),
    runtimeFolder: path.join(folder, 'run'),
    installation: path.basename(folder),
  });
  let isStopping = false;
  const postgres = new EmbeddedPostgres(
    { ...place, logFile: path.join(folder, 'postgres.log'), durability: 'off', environment: postgresEnvironment(), passwords },
    {
      onInitialise: ignore,
      onLeftover: ignore,
      onExit: ({ code, signal }) => (isStopping ? tell({ kind: 'down' }) : end(1, `Postgres ended by itself (${code ?? signal})`)),
    },
  );
  const start = async (): Promise<void> => {
    isStopping = false;
    await postgres.start();
    tell({ kind: 'up', url: postgres.url, superuserUrl: postgres.superuserUrl });
  };
  const close = async (): Promise<void> => {
    await postgres.close();
    for (const made of [folder, place.movedTo]) if (made !== undefined) rmSync(made, { recursive: true, force: true });
    process.exit(0);
  };
  process.once('disconnect', () => void close());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignore);
  await start();
  process.on('message', (order: KeeperOrder) => {
    if (order.kind === 'start') return void start().catch((error: unknown) => end(1, String(error)));
    isStopping = true;
    process.kill(postgres.pid, order.signal);
  });
  if (!process.connected) await close();
}

function ignore(): void {}

function tell(message: KeeperMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

function end(code: number, reason: string): void {
  tell({ kind: 'failed', reason });
  setImmediate(() => process.exit(code));
}

keep().catch((error: unknown) => end(1, String(error)));
