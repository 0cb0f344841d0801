import { fail } from '../../proto/errors/svc-error.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { schemaOf, type Catalogue, type Schema } from './catalogue.ts';
import { selectCatalogue } from './catalogue.sql.ts';

/** The schema as it is now, not merely as this process last saw it. */
export async function freshSchema(catalogue: Catalogue): Promise<Schema> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const known = await catalogue.current();
    if (await catalogue.isCurrent(known)) return known;
    // A load that others share may have begun before the change that we look for; hence the question again.
    await catalogue.reload(known);
  }
  return fail('schema_busy');
}

/** Changes that one reader may meet before it is told to come back. */
const attemptsMax = 6;

/** The schema as a transaction sees it. */
export async function schemaWithin(tx: Transaction): Promise<Schema> {
  return schemaOf(await tx.execute(selectCatalogue, []));
}
