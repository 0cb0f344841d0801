import { fail } from '../../proto/errors/svc-error.ts';
import { withSchema } from '../collections/with-schema.ts';
import type { SignedIn } from '../principal/principal.ts';
import { rootUsers } from '../principal/root-users.ts';
import { readLiveAccount } from '../records/account/live-account.ts';
import type { RecordDeps } from '../records/deps.ts';
import type { Tokens } from './keys/tokens.ts';

export interface BearerDeps {
  readonly records: Pick<RecordDeps, 'database' | 'catalogue' | 'shapes'>;
  readonly tokens: Tokens;
}

/** Says who presents a token: its session is asked for every time, together with those of others, so that an ended one is good nowhere. */
export class Bearers {
  readonly #deps: BearerDeps;

  constructor(deps: BearerDeps) {
    this.#deps = deps;
  }

  /** Fails with `invalid_credential` where the token is not ours, has expired, or its session is over. */
  async principalOf(token: string): Promise<SignedIn> {
    const { records, tokens } = this.#deps;
    const { sessionId, tokenId, collectionId } = await tokens.read(token);
    return withSchema(records.catalogue, async (schema) => {
      const collection = schema.byId(collectionId);
      if (collection?.type !== 'auth') return fail('invalid_credential');
      const account = await readLiveAccount(records, records.shapes.of(schema, collection), sessionId);
      if (account?.tokenIds.includes(tokenId) !== true) return fail('invalid_credential');
      return {
        kind: collectionId === rootUsers.id ? 'root' : 'user',
        collectionId,
        collection: collection.name,
        id: account.id,
        sessionId,
        account: { ...account.values, svc: collection.name },
      };
    });
  }
}
