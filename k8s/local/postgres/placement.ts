import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { copiedBinaries, installedBinaries, type Binaries } from './binaries.ts';
import { canReach, postgresUser, type SystemUser } from './postgres-user.ts';

/** Where the server's parts lie. */
export interface Placement {
  readonly dataFolder: string;
  readonly socketFolder: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  /** The folder of the system's state directory that holds the data because the wanted place is closed to the server's user. */
  readonly movedTo: string | undefined;
}

export interface PlacementInput {
  /** The wanted place for the data: a folder of ours whose parent is ours too. */
  readonly home: string;
  /** A folder of ours for sockets; the server gets a folder in it. */
  readonly runtimeFolder: string;
  /** Names the data where it cannot lie in the wanted place; a new data folder has a new one, so it never meets an older one's data. */
  readonly installation: string;
}

/**
 * Finds a place where the server's user can work. As ourselves that is the wanted place. Under root the server is `nobody`, who may
 * not look into our 0700 folders: they are opened to walk through (0710, its group), no wider; where a folder further up is closed
 * (a checkout under /root), data and binaries go to the system's state directory instead.
 */
export async function placePostgres({ home, runtimeFolder, installation }: PlacementInput): Promise<Placement> {
  const installed = await installedBinaries();
  const user = postgresUser();
  const socketFolder = path.join(runtimeFolder, 'pg');
  if (user === undefined) {
    for (const folder of [home, socketFolder]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { dataFolder: path.join(home, 'data'), socketFolder, binaries: installed, user, movedTo: undefined };
  }
  const moved = !canReach(user, path.dirname(home));
  const place = moved ? path.join(stateFolder, installation) : home;
  const binaries = canReach(user, installed.postgres) ? installed : copiedBinaries(installed, stateFolder);
  for (const folder of [place, socketFolder]) giveFolder(user, folder);
  return { dataFolder: path.join(place, 'data'), socketFolder, binaries, user, movedTo: moved ? place : undefined };
}

/** Where root's services keep their state; only root can make names in it. */
const stateFolder = '/var/lib/svc';

/** A folder of `user`'s own inside one of ours, which the user may walk through. */
function giveFolder(user: SystemUser, folder: string): void {
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true, mode: 0o710 });
  chownSync(parent, 0, user.gid);
  chmodSync(parent, 0o710);
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}
