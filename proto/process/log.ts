import { destination, pino, type Logger } from 'pino';
import { systemClock, wireTime } from '../values/time.ts';

export type Log = Logger;
export type LogLevel = (typeof logLevels)[number];

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The log of a process: one JSON object a line on standard output, written at once so that a crash loses none. */
export function createLog(role: string, level: LogLevel): Log {
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: () => `,"time":"${wireTime(systemClock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: credentialPaths, censor: '[redacted]' },
    },
    destination({ dest: 1, sync: true }),
  );
}

// A net under our own care: no caller logs these, and if one ever does the value does not reach the line.
const credentialNames = [
  'password',
  'passwordConfirm',
  'oldPassword',
  'credential',
  'token',
  'secret',
  'adminKey',
  'clusterKey',
  'encryptionKey',
  'authorization',
  'Authorization',
  'cookie',
  'connectionString',
  'databaseUrl',
  '["x-admin-key"]',
  '["set-cookie"]',
  '["idempotency-key"]',
];
const credentialPaths = credentialNames.flatMap((name) =>
  name.startsWith('[') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`],
);
