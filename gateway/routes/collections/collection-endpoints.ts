import type { Endpoint } from '../../endpoint/define.ts';
import { createCollection } from './create-collection.ts';
import { deleteCollection } from './delete-collection.ts';
import { getCollection } from './get-collection.ts';
import { listCollections } from './list-collections.ts';
import { truncateCollection } from './truncate-collection.ts';
import { updateCollection } from './update-collection.ts';

/** SPEC 4.1. */
export const collectionEndpoints: readonly Endpoint[] = [
  listCollections,
  createCollection,
  getCollection,
  updateCollection,
  deleteCollection,
  truncateCollection,
];
