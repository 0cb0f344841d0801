import { authOptionsDefault, mergedAuthOptions } from '../../proto/schema/auth-options.ts';
import type { CollectionDefinition, CollectionType } from '../../proto/schema/definition.ts';

/** A row of svc.collections, every column as Postgres' text. */
export interface StoredCollection {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly system: string;
  readonly definition: string;
  readonly docVersion: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What the column `definition` holds; everything that a statement may ask for has a column of its own. */
type StoredParts = Pick<CollectionDefinition, 'fields' | 'indexes' | 'rules' | 'auth'>;

export function readDefinition(stored: StoredCollection): CollectionDefinition {
  const { fields, indexes, rules, auth } = JSON.parse(stored.definition) as StoredParts;
  return {
    id: stored.id,
    name: stored.name,
    type: stored.type as CollectionType,
    system: stored.system === 'true',
    fields,
    indexes,
    rules,
    ...(stored.type === 'auth' ? { auth: mergedAuthOptions(authOptionsDefault, auth ?? {}) } : {}),
    docVersion: Number(stored.docVersion),
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  };
}

export function writeDefinition({ fields, indexes, rules, auth }: CollectionDefinition): string {
  return JSON.stringify({ fields, indexes, rules, ...(auth === undefined ? {} : { auth }) } satisfies StoredParts);
}
