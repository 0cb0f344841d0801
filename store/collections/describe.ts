import { collectionAnswer } from './answer.ts';
import type { CollectionDeps } from './change-schema.ts';
import { freshSchema } from './fresh-schema.ts';

export interface CollectionsDescription {
  readonly version: string;
  /** A JSON array of collections, with the fields that everybody may see, those of an account included; empty where the known version is current. */
  readonly text: string;
}

/** What a public document may say of the collections there are. */
export async function describeCollections(
  deps: Pick<CollectionDeps, 'catalogue'>,
  input: { readonly knownVersion: string },
): Promise<CollectionsDescription> {
  const schema = await freshSchema(deps.catalogue);
  const { version } = schema;
  if (version === input.knownVersion) return { version, text: '' };
  const visible = schema.all().map((collection) => {
    const shown = collection.fields.filter((field) => !field.hidden).map(({ system: _, ...field }) => field);
    const { id, name, type, system, fields } = collectionAnswer({ ...collection, fields: shown }, schema);
    return { id, name, type, system, fields };
  });
  return { version, text: JSON.stringify(visible) };
}
