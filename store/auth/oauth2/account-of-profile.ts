import { fail } from '../../../proto/errors/svc-error.ts';
import type { OAuthProfile } from '../../../proto/schema/oauth-profile.ts';
import type { Schema } from '../../collections/catalogue.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { readIdentityIn } from '../../records/account/identity.ts';
import { createIn } from '../../records/create.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import type { AuthDeps } from '../deps.ts';
import { proveAddress } from '../prove-address.ts';
import { serviceWrite } from '../service-write.ts';
import { insertLink, selectLink } from './linked-accounts.sql.ts';

/**
 * The account that an account elsewhere opens: the one that is linked with it; else the one of its address, if the provider
 * vouches for that; else a new one, made as a guest may make one.
 */
export async function accountOfProfile(
  deps: AuthDeps,
  tx: Transaction,
  place: { readonly schema: Schema; readonly shape: RecordShape },
  profile: OAuthProfile,
): Promise<string> {
  const { shape } = place;
  const { provider, subject, email, isEmailVerified } = profile;
  const [link] = await tx.execute(selectLink, [shape.collection.id, provider, subject]);
  if (typeof link?.[0] === 'string') return link[0];
  const present = email === null ? undefined : await readIdentityIn(tx, shape, email);
  if (present !== undefined && !isEmailVerified)
    return fail('oauth_refused', { values: { reason: 'There is an account of this address already; sign in to it in another way.' } });
  if (present !== undefined) await proveAddress(deps, tx, place, { id: present.id, isAskedByOwner: false });
  const id = present?.id ?? (await create(deps, tx, place, profile));
  const linked = await tx.execute(insertLink, [shape.collection.id, provider, subject, id, email]);
  return linked.length > 0 ? id : fail('write_conflict');
}

async function create(
  { records }: AuthDeps,
  tx: Transaction,
  { schema, shape }: { readonly schema: Schema; readonly shape: RecordShape },
  { provider, email, isEmailVerified, name }: OAuthProfile,
): Promise<string> {
  const id = records.ids.record();
  const named = name !== null && shape.byName.get('name')?.field.type === 'text' ? { name } : {};
  const reachable = email === null ? { username: `${provider}_${records.ids.short()}` } : { email };
  const write = serviceWrite(records, shape, { id, ...reachable, ...named });
  await createIn(records, tx, schema, { ...write, principal: { kind: 'guest' }, signUp: { isVerified: isEmailVerified } });
  return id;
}
