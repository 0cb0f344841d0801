import path from 'node:path';
import { childEnvironment } from '../../../proto/process/config.ts';

export type RoleName = 'gateway' | 'store' | 'worker';

export const roleNames: readonly RoleName[] = ['store', 'worker', 'gateway'];

/** How many processes play each role. */
export type RoleCounts = Readonly<Record<RoleName, number>>;

/** What the roles of one cluster on one machine must know of each other. */
export interface Topology {
  readonly counts: RoleCounts;
  /** Holds the sockets by which they meet. */
  readonly socketFolder: string;
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly databaseDirectUrl: string;
  readonly adminKey: string;
  readonly encryptionKey: string;
  readonly clusterKey: string;
}

/** The environment of the process that plays `role` as number `index`; each is given what it needs, and no secret beyond. */
export function roleEnvironment(topology: Topology, place: { readonly role: RoleName; readonly index: number }): Record<string, string> {
  const { role, index } = place;
  const shared = {
    SVC_ENV_FILE: 'none',
    SVC_ROLE: role,
    SVC_HOST: topology.host,
    SVC_PORT: String(topology.port),
    SVC_METRICS_PORT: `unix:${path.join(topology.socketFolder, `${role}-${index}.admin`)}`,
    SVC_CLUSTER_KEY: topology.clusterKey,
  };
  switch (role) {
    case 'gateway':
      return childEnvironment({ grant: [], set: { ...shared, SVC_STORE_URL: targets(topology, 'store') } });
    case 'worker':
      return childEnvironment({ grant: [], set: { ...shared, SVC_RPC_LISTEN: socket(topology, place), SVC_STORE_URL: targets(topology, 'store') } });
    case 'store':
      return childEnvironment({
        grant: storeSecrets,
        set: {
          ...shared,
          ...databaseEnvironment(topology),
          ...storeKeys(topology),
          SVC_RPC_LISTEN: socket(topology, place),
          SVC_WORKER_URL: targets(topology, 'worker'),
        },
      });
  }
}

/** The environment of the migration. */
export function migrateEnvironment(topology: Topology): Record<string, string> {
  return childEnvironment({ grant: databaseSecrets, set: { SVC_ENV_FILE: 'none', SVC_ROLE: 'migrate', ...databaseEnvironment(topology) } });
}

/** What a Postgres client library may read beside the connection string. */
const databaseSecrets = [/^PG[A-Z]+$/];
const storeSecrets = [...databaseSecrets, /^EMAIL_\w+$/, /^SVC_ROOT_\w+$/];

function storeKeys({ adminKey, encryptionKey }: Topology): Record<string, string> {
  return { SVC_ADMIN_KEY: adminKey, SVC_ENCRYPTION_KEY: encryptionKey };
}

function databaseEnvironment({ databaseUrl, databaseDirectUrl }: Topology): Record<string, string> {
  return { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl };
}

function targets(topology: Topology, role: RoleName): string {
  return Array.from({ length: topology.counts[role] }, (_, index) => socket(topology, { role, index })).join(',');
}

function socket({ socketFolder }: Topology, { role, index }: { readonly role: RoleName; readonly index: number }): string {
  return `unix:${path.join(socketFolder, `${role}-${index}.sock`)}`;
}
