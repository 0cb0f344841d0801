import type { Field } from '../fields/field-type.ts';
import type { AuthOptions } from './auth-options.ts';

/** A collection as the store holds it: names resolved, defaults filled in, relation targets by id. */
export interface CollectionDefinition {
  readonly id: string;
  readonly name: string;
  readonly type: CollectionType;
  readonly system: boolean;
  readonly fields: readonly Field[];
  readonly indexes: readonly IndexDefinition[];
  readonly rules: Rules;
  /** Of an auth collection. */
  readonly auth?: AuthOptions;
  /** The catalogue version that gave records' documents their present shape; a stored document with another one is stale. */
  readonly docVersion: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type CollectionType = 'base' | 'auth';

export interface IndexDefinition {
  readonly id: string;
  readonly fields: readonly IndexedField[];
  readonly unique: boolean;
}

/** A field of the collection, or a system field, by its name. */
export interface IndexedField {
  readonly name: string;
  readonly descending: boolean;
}

/** Null is locked (root and admin key only), '' open to everyone; an absent subscribe rule is the list rule. */
export interface Rules {
  readonly listRule: string | null;
  readonly viewRule: string | null;
  readonly createRule: string | null;
  readonly updateRule: string | null;
  readonly deleteRule: string | null;
  readonly subscribeRule?: string | null;
}

export type RuleName = keyof Rules;

/** What every auth collection has beside them. */
export const authFieldNames = ['username', 'email', 'verified'] as const;

/** The fields that every record has, in the order in which its document begins. */
export const systemFieldNames = ['id', 'created_at', 'updated_at'] as const;
