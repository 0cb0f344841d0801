import type { Log } from '../../proto/process/log.ts';
import type { Reporter } from './terminal/report.ts';
import { terminalReporter } from './terminal/terminal-reporter.ts';

/** In production every line is JSON as the roles write it, for machines; else it is written for a person. */
export function reporterFor(environment: 'development' | 'production', log: Log): Reporter {
  // Whoever read it has gone (`svc up | head`): what is served does not depend on that.
  process.stdout.on('error', () => undefined);
  return environment === 'production' ? logReporter(log) : terminalReporter(process.stdout);
}

function logReporter(log: Log): Reporter {
  return {
    begin: () => undefined,
    done: (text) => log.info(text),
    note: (text) => log.info(text),
    warn: (text) => log.warn(text),
    error: (text) => log.error(text),
    ready: ({ seconds, places }) => log.info({ seconds, ...Object.fromEntries(places) }, 'ready'),
  };
}

/** What a command was asked for. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Why a command was refused. */
export function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
