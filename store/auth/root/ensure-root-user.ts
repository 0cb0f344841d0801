import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { ConfigError } from '../../../proto/process/config-error.ts';
import { Backoff } from '../../../proto/process/backoff.ts';
import type { Log } from '../../../proto/process/log.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { rootUsers } from '../../principal/root-users.ts';
import { readIdentity } from '../../records/account/identity.ts';
import { createRecord } from '../../records/create.ts';
import type { RecordDeps } from '../../records/deps.ts';

/** Whom SVC_ROOT_EMAIL and SVC_ROOT_PASSWORD name. */
export interface FirstRootUser {
  readonly email: string;
  readonly password: string;
}

/** Makes the root user of the environment where there is none of that address; several stores may try at once, and workers may not be up yet. */
export async function ensureRootUser(deps: RecordDeps, user: FirstRootUser, log: Pick<Log, 'info' | 'warn'>): Promise<void> {
  const backoff = new Backoff({ firstMs: 50, maxMs: 2_000 });
  for (;;) {
    try {
      if (await isThere(deps, user.email)) return;
      await create(deps, user);
      return log.info('the root user of SVC_ROOT_EMAIL has been made');
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      if (error.status < 500) throw new ConfigError([`SVC_ROOT_EMAIL, SVC_ROOT_PASSWORD: ${faultsOf(error)}`]);
      await sleep(backoff.next(), undefined, { ref: false });
    }
  }
}

function isThere(deps: RecordDeps, email: string): Promise<boolean> {
  return withSchema(deps.catalogue, async (schema) => {
    const identity = await readIdentity(deps, deps.shapes.named(schema, rootUsers.name), email);
    return identity !== undefined;
  });
}

async function create(deps: RecordDeps, { email, password }: FirstRootUser): Promise<void> {
  const request = {
    principal: { kind: 'admin' },
    collection: rootUsers.name,
    query: '',
    headers: '',
    isWanted: true,
    ifMatch: '',
    idempotencyKey: '',
  } as const;
  const body = Buffer.from(JSON.stringify({ email, password, verified: true }));
  try {
    await createRecord(deps, { ...request, requestId: deps.ids.request(), body });
  } catch (error) {
    // Another store was faster.
    if (!(error instanceof SvcError) || error.details.data?.['email']?.code !== 'not_unique') throw error;
  }
}

function faultsOf({ message, details }: SvcError): string {
  const faults = Object.entries(details.data ?? {}).map(([field, { message: text }]) => `${field}: ${text}`);
  return faults.length === 0 ? message : faults.join(' ');
}
