import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { ConfigError, count, duration, port, readConfig, secret, text } from '../../proto/process/config.ts';
import { logLevels } from '../../proto/process/log.ts';
import { hostValue } from '../../proto/process/process-config.ts';

/** What `svc up` reads from the environment. */
export type UpConfig = ReturnType<typeof readUpConfig>;

/** Reads it; in production nothing that protects the service is made up, so there its absence is reported too. */
export function readUpConfig() {
  const config = readConfig(upShape);
  const missing = config.SVC_ENV === 'production' ? requiredInProduction.filter((name) => config[name] === undefined) : [];
  if (missing.length > 0) throw new ConfigError(missing.map((name) => `${name} is missing; in production it must be set`));
  return config;
}

const address = text('the address of a Postgres database, such as postgres://user:password@host:5432/name', /^postgres(ql)?:\/\/\S+$/);

/** One gateway for two cores: the other core is the store's and Postgres'. */
const gatewaysDefault = Math.max(1, Math.floor(availableParallelism() / 2));

const upShape = {
  SVC_ENV: z.enum(['development', 'production']).default('development').describe('development or production'),
  SVC_HOST: hostValue,
  SVC_PORT: port(8_090),
  SVC_METRICS_PORT: port(9_090),
  SVC_PUBLIC_URL: text('the address by which clients reach the service, such as https://api.example.org', /^https?:\/\/[^\s/]+(\/\S*)?$/).optional(),
  SVC_DATA_DIR: text('the folder that keeps data and secrets').default('./svc-data'),
  DATABASE_URL: address.optional(),
  DATABASE_DIRECT_URL: address.optional(),
  SVC_GATEWAYS: count(gatewaysDefault, { min: 1, max: 64 }),
  SVC_STORES: count(1, { min: 1, max: 64 }),
  SVC_WORKERS: count(1, { min: 1, max: 64 }),
  SVC_ADMIN_KEY: secret(16).optional(),
  SVC_ENCRYPTION_KEY: secret(32).optional(),
  SVC_CLUSTER_KEY: secret(16).optional(),
  SVC_DRAIN_TIMEOUT: duration(10_000, { min: 100, max: 3_600_000 }),
  SVC_LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`one of ${logLevels.join(', ')}`),
};

const requiredInProduction = ['SVC_ADMIN_KEY', 'SVC_ENCRYPTION_KEY', 'SVC_CLUSTER_KEY', 'SVC_PUBLIC_URL'] as const;
