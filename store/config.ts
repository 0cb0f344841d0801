import type { z } from 'zod';
import { boolean, readConfig, secret, text } from '../proto/process/config.ts';
import { readIdentity, type RpcIdentity } from '../proto/rpc/identity.ts';
import { identityShape, listenAddress } from '../proto/rpc/rpc-config.ts';

/** What a store reads from its environment. */
export interface StoreConfig {
  readonly databaseUrl: string;
  readonly preparation: 'prepared' | 'unprepared';
  readonly adminKey: string;
  readonly listen: string;
  readonly identity: RpcIdentity;
}

export function readStoreConfig(): StoreConfig {
  const config = readConfig({ ...storeShape, ...identityShape });
  return {
    databaseUrl: config.DATABASE_URL,
    preparation: config.SVC_PREPARED ? 'prepared' : 'unprepared',
    adminKey: config.SVC_ADMIN_KEY,
    listen: config.SVC_RPC_LISTEN,
    identity: readIdentity(config),
  };
}

const storeShape = {
  DATABASE_URL: text('the address of the database, such as postgres://user:password@host:5432/name', /^postgres(ql)?:\/\/./),
  SVC_PREPARED: boolean(true),
  SVC_ADMIN_KEY: secret(16),
  SVC_RPC_LISTEN: listenAddress(),
} satisfies z.ZodRawShape;
