import type { Binaries } from './binaries.ts';
import type { SystemUser } from './postgres-user.ts';
import type { Durability } from './settings.ts';

/** Everything that decides how the embedded server runs. */
export interface PostgresPlan {
  readonly dataFolder: string;
  /** Holds the socket; reachable by the server's user and by us, and by nobody else. */
  readonly socketFolder: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  /** Absent: as ourselves. */
  readonly user: SystemUser | undefined;
  readonly passwords: { readonly superuser: string; readonly service: string };
  readonly durability: Durability;
  readonly environment: Readonly<Record<string, string>>;
}
