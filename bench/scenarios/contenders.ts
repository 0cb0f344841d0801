import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pgbench, pgbenchCommand } from '../load/pgbench.ts';
import { wrk, wrkCommand } from '../load/wrk.ts';
import type { Contender } from '../measure/interleave.ts';
import { CONNECTIONS, PGBENCH, SERVICE, type Stage } from './scenario.ts';

export interface ServiceSide {
  readonly name?: string;
  /** Names the files of this load within the run's folder. */
  readonly file: string;
  readonly method: 'GET' | 'POST';
  readonly targets: readonly string[];
  readonly bodies?: readonly string[];
  readonly connections?: number;
  /** The Authorization header; absent for a guest. */
  readonly authorization?: string;
}

/** The service asked by wrk over loopback TCP. */
export async function serviceContender(stage: Stage, side: ServiceSide): Promise<Contender> {
  const targets = await lines(stage, `${side.file}.targets`, side.targets);
  const bodies = side.bodies === undefined ? {} : { bodies: await lines(stage, `${side.file}.bodies`, side.bodies) };
  const signed = side.authorization === undefined ? {} : { authorization: side.authorization };
  const load = { ...signed, baseUrl: stage.service.baseUrl, method: side.method, targets, ...bodies, connections: side.connections ?? CONNECTIONS };
  return {
    name: side.name ?? SERVICE,
    command: `${wrkCommand({ ...load, seconds: 4 })}   # ${side.method} ${side.targets[0] ?? ''} and ${side.targets.length - 1} more`,
    run: (seconds) => wrk({ ...load, seconds }),
  };
}

/** Postgres asked by pgbench over the connection kind that the store uses. */
export async function pgbenchContender(stage: Stage, file: string, script: string): Promise<Contender> {
  const path = await lines(stage, `${file}.pgbench`, [script]);
  const load = { connection: stage.postgres, script: path, connections: CONNECTIONS };
  return {
    name: PGBENCH,
    command: pgbenchCommand({ ...load, seconds: 4 }),
    statement: script.trim(),
    run: (seconds) => pgbench({ ...load, seconds }),
  };
}

async function lines(stage: Stage, name: string, content: readonly string[]): Promise<string> {
  const path = join(stage.service.folder, name);
  await writeFile(path, `${content.join('\n')}\n`);
  return path;
}
