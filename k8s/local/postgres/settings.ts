import { totalmem } from 'node:os';

/** Whether a crash of the machine may cost data: `off` is for tests, whose data is small, shared by many processes, and thrown away. */
export type Durability = 'on' | 'off';

/** The server's settings beside Postgres' own defaults. It listens on no TCP port; access is by unix socket and password. */
export function serverSettings(input: { readonly socketFolder: string; readonly durability: Durability }): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: input.socketFolder,
    unix_socket_permissions: '0600',
    port: String(socketPort),
    max_connections: '100',
    shared_buffers: `${sharedBuffersMiB()}MB`,
    // Room for a schema change or a truncate that touches many tables and indexes at once.
    max_locks_per_transaction: '256',
    // Fewer and smoother checkpoints; recovery after a crash still takes seconds.
    max_wal_size: '2GB',
    // A new segment is filled with zeros first, and everybody waits 40 ms for it; the files' holes cost nothing worth naming.
    wal_init_zero: 'off',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    wal_buffers: '16MB',
    random_page_cost: '1.1',
    // Compiling a plan costs more than our short statements take.
    jit: 'off',
    autovacuum_naptime: '15s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_checkpoints: 'off',
    log_lock_waits: 'on',
    ...durabilitySettings[input.durability],
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The number in the socket's name; no TCP port is opened. */
export const socketPort = 5_432;

const durabilitySettings: Readonly<Record<Durability, Readonly<Record<string, string>>>> = {
  on: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
  off: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_wal_size: '512MB',
    min_wal_size: '80MB',
    shared_buffers: '128MB',
    max_connections: '300',
  },
};

/** An eighth of the memory, from 128 MiB to 1 GiB: a developer's machine has other things to hold. */
function sharedBuffersMiB(): number {
  return Math.min(1_024, Math.max(128, Math.floor(totalmem() / 2 ** 20 / 8)));
}
