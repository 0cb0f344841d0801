import type { Schema } from './catalogue.ts';

/** The name of a collection's table, by the collection's id. */
export function tableName(schema: Schema): (collectionId: string) => string {
  return (collectionId) => {
    const name = schema.byId(collectionId)?.name;
    if (name === undefined) throw new TypeError(`no collection has the id ${collectionId}`);
    return name;
  };
}
