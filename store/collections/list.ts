import { collectionAnswer } from './answer.ts';
import type { CollectionDeps } from './change-schema.ts';
import { freshSchema } from './fresh-schema.ts';

/** All collections, by name, as a JSON array. */
export async function listCollections(deps: Pick<CollectionDeps, 'catalogue'>): Promise<string> {
  const schema = await freshSchema(deps.catalogue);
  return JSON.stringify(schema.all().map((collection) => collectionAnswer(collection, schema)));
}
