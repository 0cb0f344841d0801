import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import type { TypedTree } from './typed-tree.ts';

/** The part of a schema that rules look at. */
export interface RuleSchema {
  byName(name: string): CollectionDefinition | undefined;
  byId(id: string): CollectionDefinition | undefined;
  /** The relation fields, of any collection, that point to the collection `id`. */
  referencesTo(id: string): readonly { readonly collection: CollectionDefinition; readonly fieldId: string }[];
}

/** Which names an expression may use, and what they mean. */
export interface Scope {
  readonly schema: RuleSchema;
  readonly collection: CollectionDefinition;
  /** A caller's filter knows of the request its `@request.auth` alone, and no `@collection`. */
  readonly use: 'filter' | 'rule';
  /** Hidden fields exist for `full` only. */
  readonly sight: 'public' | 'full';
  /** Whether a path may lead into this collection; a rule's author may read all. */
  readonly mayRead: (collection: CollectionDefinition) => boolean;
  /** What rows of this collection must pass to be seen at the end of a path: the view rule, where a caller asks. */
  readonly guardOf?: (collection: CollectionDefinition) => TypedTree | undefined;
  /** Names the fields of `@request.auth.*`; without it any name may be an account's field. */
  readonly authCollection?: CollectionDefinition;
}
