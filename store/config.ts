import type { z } from 'zod';
import { boolean, ConfigError, readConfig, secret, text } from '../proto/process/config.ts';
import { readIdentity, type RpcIdentity } from '../proto/rpc/identity.ts';
import { identityShape, listenAddress, targetList } from '../proto/rpc/rpc-config.ts';

/** What a store reads from its environment. */
export interface StoreConfig {
  readonly databaseUrl: string;
  readonly preparation: 'prepared' | 'unprepared';
  readonly adminKey: string;
  readonly encryptionKey: string;
  /** Where the workers are. */
  readonly workers: string;
  /** Made at the start where it is not there yet. */
  readonly firstRootUser: { readonly email: string; readonly password: string } | undefined;
  readonly listen: string;
  readonly identity: RpcIdentity;
}

export function readStoreConfig(): StoreConfig {
  const config = readConfig({ ...storeShape, ...identityShape });
  return {
    databaseUrl: config.DATABASE_URL,
    preparation: config.SVC_PREPARED ? 'prepared' : 'unprepared',
    adminKey: config.SVC_ADMIN_KEY,
    encryptionKey: config.SVC_ENCRYPTION_KEY,
    workers: config.SVC_WORKER_URL,
    firstRootUser: firstRootUser(config.SVC_ROOT_EMAIL, config.SVC_ROOT_PASSWORD),
    listen: config.SVC_RPC_LISTEN,
    identity: readIdentity(config),
  };
}

function firstRootUser(email: string | undefined, password: string | undefined): StoreConfig['firstRootUser'] {
  if (email !== undefined && password !== undefined) return { email, password };
  if (email === undefined && password === undefined) return undefined;
  throw new ConfigError(['SVC_ROOT_EMAIL, SVC_ROOT_PASSWORD: set both or neither']);
}

const storeShape = {
  DATABASE_URL: text('the address of the database, such as postgres://user:password@host:5432/name', /^postgres(ql)?:\/\/./),
  SVC_PREPARED: boolean(true),
  SVC_ADMIN_KEY: secret(16),
  SVC_ENCRYPTION_KEY: secret(32),
  SVC_WORKER_URL: targetList(),
  SVC_ROOT_EMAIL: text('the e-mail address of the first root user').optional(),
  SVC_ROOT_PASSWORD: text('a password of at least 8 characters').optional(),
  SVC_RPC_LISTEN: listenAddress(),
} satisfies z.ZodRawShape;
