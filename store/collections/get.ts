import { fail } from '../../proto/errors/svc-error.ts';
import { collectionText } from './answer.ts';
import type { CollectionDeps } from './change-schema.ts';
import { freshSchema } from './fresh-schema.ts';

/** One collection's JSON. */
export async function getCollection(deps: Pick<CollectionDeps, 'catalogue'>, input: { readonly name: string }): Promise<string> {
  const schema = await freshSchema(deps.catalogue);
  return collectionText(schema.byName(input.name) ?? fail('collection_not_found'), schema);
}
