import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serviceStatements } from './initialise.sql.ts';
import type { PostgresPlan } from './postgres-plan.ts';

export function isInitialised(plan: PostgresPlan): boolean {
  return existsSync(path.join(plan.dataFolder, 'PG_VERSION'));
}

/** Makes the data folder: cluster, role and database. Interrupted, it leaves nothing that looks complete. */
export async function initialise(plan: PostgresPlan): Promise<void> {
  const partial = `${plan.dataFolder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const passwordFile = `${plan.dataFolder}.password`;
  writeFileSync(passwordFile, plan.passwords.superuser, { mode: 0o600 });
  if (plan.user !== undefined) for (const name of [partial, passwordFile]) chownSync(name, plan.user.uid, plan.user.gid);
  try {
    await run(plan, plan.binaries.initdb, initdbArguments(plan, { folder: partial, passwordFile }));
    await run(plan, plan.binaries.postgres, ['--single', '-D', partial, 'postgres'], serviceStatements(plan.passwords.service));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(partial, plan.dataFolder);
}

function initdbArguments(plan: PostgresPlan, place: { readonly folder: string; readonly passwordFile: string }): string[] {
  const sync = plan.durability === 'off' ? ['--no-sync'] : [];
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  return ['-D', place.folder, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${place.passwordFile}`, '--no-instructions', ...locale, ...sync];
}

function run(plan: PostgresPlan, program: string, options: string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const settings = { ...plan.user, cwd: path.dirname(plan.dataFolder), env: plan.environment, timeout: 120_000 };
    const child = execFile(program, options, settings, (error, stdout, stderr) => {
      if (error === null) return resolve();
      reject(new Error(`${path.basename(program)} failed: ${`${stderr}\n${stdout}`.trim().slice(-2_000) || error.message}`));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
