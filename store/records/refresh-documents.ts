import { fail } from '../../proto/errors/svc-error.ts';
import { withSchema } from '../collections/with-schema.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import type { RecordDeps } from './deps.ts';
import type { RecordShape } from './shape/shape.ts';
import { markRefreshed, refreshSome, selectOutdated, tryRefreshLock } from './statements/refresh.sql.ts';

const rowsPerStep = 200;
const timeoutMs = 10_000;

/** One step of the refresh: what is left to do afterwards. */
export type RefreshStep = 'more' | 'done';

/**
 * Makes stored documents anew that an older version of their collection's definition has made. Reads are right without it
 * (they build what is outdated from the columns); it gives them their speed back. One step is a short transaction, so
 * that no writer waits; one process of the cluster does it at a time.
 */
export class DocumentRefresh {
  readonly #deps: RecordDeps;
  #position: { readonly collection: string; readonly id: string } | undefined;

  constructor(deps: RecordDeps) {
    this.#deps = deps;
  }

  async step(): Promise<RefreshStep> {
    const [outdated] = await this.#deps.database.query(selectOutdated, []);
    if (outdated === undefined) return 'done';
    return withSchema(this.#deps.catalogue, async (schema) => {
      const collection = schema.byId(outdated[0] ?? '') ?? fail('collection_not_found');
      return this.#refresh(this.#deps.shapes.of(schema, collection));
    });
  }

  async #refresh(shape: RecordShape): Promise<RefreshStep> {
    const { id: collection, docVersion } = shape.collection;
    const from = this.#position?.collection === collection ? this.#position.id : '';
    const options = { label: 'documents.refresh', lockTimeoutMs: 1_000, statementTimeoutMs: timeoutMs };
    const last = await this.#deps.database.transaction(options, async (tx) => {
      const [lock] = await tx.execute(tryRefreshLock, []);
      if (lock?.[0] !== 'true') return 'elsewhere';
      const [row] = await tx.execute(refreshSome(shape), [shape.schema.version, from, String(rowsPerStep)]);
      if (row?.[0] !== shape.schema.version) throw new StaleCatalogue();
      if (row[1] === null) await tx.execute(markRefreshed, [collection, String(docVersion)]);
      return row[1] ?? null;
    });
    if (last === 'elsewhere') return 'done';
    this.#position = last === null ? undefined : { collection, id: last };
    return 'more';
  }
}
