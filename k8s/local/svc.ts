#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigError, readConfig } from '../../proto/process/config.ts';
import { dev } from './dev.ts';
import { exitWithConfigError, usageExitCode } from './ending.ts';
import { complain, print } from './reporter.ts';
import { programs } from './roles/programs.ts';
import { up } from './up.ts';
import { serviceVersion } from './version.ts';

const help = `svc: collections of records over REST, on Postgres.

Usage: svc <command>

  up         Start everything on this machine: Postgres (when DATABASE_URL is not set),
             migrations, stores, workers and gateways. Ctrl-C stops it.
  dev        The same, compiled and started again whenever a source changes.
  migrate    Bring the database of DATABASE_URL up to date, and exit.
  gateway    Run one process of one role in the foreground, for clusters
  store      of several machines; the environment says where the others are.
  worker
  version    Print the version.
  help       Print this text.

Settings come from the environment and from a .env file; .env.example lists them all.
`;

type Command = () => void | Promise<void>;

const commands: Readonly<Record<string, Command>> = {
  up: () => runRoleNamed(readConfig({ SVC_ROLE: roleValue }).SVC_ROLE),
  dev: () => dev(),
  migrate: () => runProgram(programs.migrate),
  gateway: () => runProgram(programs.gateway),
  store: () => runProgram(programs.store),
  worker: () => runProgram(programs.worker),
  version: () => print(serviceVersion()),
  help: () => print(help.trimEnd()),
};

const flags: Readonly<Record<string, string>> = { '--version': 'version', '-v': 'version', '--help': 'help', '-h': 'help' };

/** What `svc up` starts; a container is told its part by this instead of by its arguments. */
const roleValue = z.enum(['all', 'gateway', 'store', 'worker', 'migrate']).default('all').describe('all, gateway, store, worker or migrate');

await main(process.argv.slice(2));

async function main([word = 'up', ...rest]: readonly string[]): Promise<void> {
  const name = flags[word] ?? word;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return misuse(`there is no command ${JSON.stringify(word)}`);
  if (rest.length > 0) return misuse(`${name} takes no arguments, but was given ${JSON.stringify(rest[0])}`);
  try {
    await command();
  } catch (error) {
    if (error instanceof ConfigError) exitWithConfigError(error);
    throw error;
  }
}

function runRoleNamed(role: z.output<typeof roleValue>): Promise<void> {
  return role === 'all' ? up() : runProgram(programs[role]);
}

/** In this process, so that signals and the exit status are the role's own. Found by path: this room imports no other. */
async function runProgram(program: string): Promise<void> {
  await import(pathToFileURL(program).href);
}

function misuse(reason: string): void {
  complain(`svc: ${reason}; "svc help" lists what there is.`);
  process.exitCode = usageExitCode;
}
