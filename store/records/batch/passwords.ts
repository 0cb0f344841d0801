import { fail, fault } from '../../../proto/errors/svc-error.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { passwordFault } from '../../credentials/passwords.ts';
import { isPrivileged } from '../../principal/principal.ts';
import type { RecordDeps } from '../deps.ts';
import type { WriteRequest } from '../write-request.ts';
import type { BatchWrite } from './read-batch.ts';

/** What a caller without privileges may have hashed at once: each costs a core some 60 ms. */
const signUpsMax = 10;

/** The hashes of the passwords that a batch gives, by the number of the write: made before its transaction, so that nothing is held meanwhile. */
export async function hashPasswords(
  deps: RecordDeps,
  schema: Schema,
  { principal, requestId }: WriteRequest,
  writes: readonly BatchWrite[],
): Promise<ReadonlyMap<number, string>> {
  const given = [...writes.entries()].filter(([, write]) => write.password !== undefined && schema.byName(write.collection)?.type === 'auth');
  if (!isPrivileged(principal)) requireFew(given);
  const hashes = new Map<number, string>();
  for (const [index, { password }] of given) {
    // What is no password is refused by its own write.
    if (typeof password === 'string' && passwordFault(password) === undefined) hashes.set(index, await deps.hashing.hash(password, requestId));
  }
  return hashes;
}

function requireFew(given: readonly (readonly [number, BatchWrite])[]): void {
  const reason = `A batch makes at most ${signUpsMax} accounts, and changes no password.`;
  const surplus = given.find(([, { method }], count) => method === 'PATCH' || count >= signUpsMax);
  if (surplus !== undefined) fail('validation_failed', { data: { [`requests.${surplus[0]}.body.password`]: fault('not_changeable', { reason }) } });
}
