/** How to reach one Postgres database, as libpq's programs take it: by environment, so that no password shows in a process list. */
export interface Connection {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Reads `postgres://user:password@host:port/database`, a socket folder standing as `?host=/folder` or percent-encoded as the host. */
export function parseConnection(url: string): Connection {
  const match = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^:/?]*)(?::(\d+))?\/([^?]*)(?:\?(.*))?$/.exec(url);
  if (match === null) throw new TypeError('not a postgres URL');
  const query = new URLSearchParams(match[6] ?? '');
  return {
    host: query.get('host') ?? decodeURIComponent(match[3] ?? ''),
    port: query.get('port') ?? match[4] ?? '5432',
    user: query.get('user') ?? decodeURIComponent(match[1] ?? ''),
    password: query.get('password') ?? decodeURIComponent(match[2] ?? ''),
    database: decodeURIComponent(match[5] ?? ''),
  };
}

export function libpqEnvironment(connection: Connection): Record<string, string> {
  return {
    PGHOST: connection.host,
    PGPORT: connection.port,
    PGUSER: connection.user,
    PGPASSWORD: connection.password,
    PGDATABASE: connection.database,
    PGAPPNAME: 'bench',
  };
}

/** For the report: what kind of connection it is, without names or secrets. */
export function connectionKind(connection: Connection): string {
  return connection.host.startsWith('/') ? 'unix socket' : 'TCP on loopback';
}
