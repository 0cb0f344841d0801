import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A user of the system by number. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Whom Postgres runs as: it refuses root, so there it is `nobody`; undefined means as ourselves. */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return nobody();
}

/** Whether `user` may walk down to `target` (by the mode bits on the way; that is all there is for somebody in no group). */
export function canReach(user: SystemUser, target: string): boolean {
  for (let folder = path.dirname(path.resolve(target)); ; folder = path.dirname(folder)) {
    if (!canEnter(user, folder)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

function canEnter(user: SystemUser, folder: string): boolean {
  const { uid, gid, mode } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

function nobody(): SystemUser {
  const fallback = { uid: 65_534, gid: 65_534 };
  try {
    const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m);
    return line === null ? fallback : { uid: Number(line[1]), gid: Number(line[2]) };
  } catch {
    return fallback;
  }
}
