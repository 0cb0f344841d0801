import { isIP } from 'node:net';
import { z } from 'zod';
import { duration, port, readConfig, text } from './config.ts';
import { logLevels, type LogLevel } from './log.ts';
import type { AdminAddress } from './admin-server.ts';

/** What every process reads, whatever its role. */
export interface ProcessConfig {
  readonly logLevel: LogLevel;
  readonly admin: AdminAddress;
  readonly drainTimeoutMs: number;
  readonly drainDelayMs: number;
}

export function readProcessConfig(): ProcessConfig {
  const config = readConfig(processShape);
  const metrics = config.SVC_METRICS_PORT;
  return {
    logLevel: config.SVC_LOG_LEVEL,
    admin: typeof metrics === 'number' ? { host: config.SVC_HOST, port: metrics } : metrics,
    drainTimeoutMs: config.SVC_DRAIN_TIMEOUT,
    drainDelayMs: config.SVC_DRAIN_DELAY,
  };
}

/** The address that servers of this process bind, by number or name. */
export const hostValue = text('an address or host name to listen on, such as 127.0.0.1, :: or 0.0.0.0', /^[A-Za-z0-9.:_-]{1,253}$/).default(
  '127.0.0.1',
);

/** `host` as it stands in an URL. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

const socketPath = z
  .string()
  .regex(/^unix:\/.{1,98}$/)
  .transform((value) => ({ path: value.slice('unix:'.length) }));

const processShape = {
  SVC_LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`one of ${logLevels.join(', ')}`),
  SVC_HOST: hostValue,
  SVC_METRICS_PORT: z.union([port(), socketPath]).default(9_090).describe('a port number from 0 to 65535, or unix:/path of at most 99 characters'),
  SVC_DRAIN_TIMEOUT: duration(10_000, { min: 100, max: 3_600_000 }),
  SVC_DRAIN_DELAY: duration(0, { max: 600_000 }),
};
