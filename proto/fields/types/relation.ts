import { z } from 'zod';
import { recordIdPattern } from '../../values/ids.ts';
import { acceptedList, acceptedText, notA, refused } from '../checked.ts';
import type { Checked, Field, FieldType } from '../field-type.ts';

const idsMax = 10_000;

const options = z.strictObject({
  relationConfig: z.strictObject({
    targetSvc: z
      .string()
      .min(1)
      .meta({ description: 'Name of the collection that the values are ids of; a new collection may name itself.', example: 'users' }),
    cardinality: z.enum(['1:1', '1:N', 'M:N']).default('1:N').meta({
      description: '`1:1`: one id, used by no other record. `1:N`: one id, many records may share it. `M:N`: a list of ids.',
    }),
    onDelete: z.enum(['CASCADE', 'SET_NULL', 'RESTRICT']).default('SET_NULL').meta({
      description: 'What becomes of this record when the one it refers to is deleted; for `M:N`, SET_NULL takes the id out of the list.',
    }),
  }),
});

/** On the wire a relation names its target; a definition in the store holds the target's id, so that a rename changes nothing. */
export type RelationConfig = z.output<typeof options>['relationConfig'];

export type RelationOptions = Pick<RelationConfig, 'cardinality' | 'onDelete'> & { readonly targetId: string };

/** The id of a record in another collection (or the same), or for `M:N` a list of ids, kept in order in a join table. */
export const relation = {
  name: 'relation',
  options,
  problems: () => [],
  column: (given) => (isManyToMany(given) ? null : 'text'),
  isList: isManyToMany,
  checker: (given) => (isManyToMany(given) ? checkList : checkOne),
  toJson: (column) => `to_json(${column})`,
  schema: (given) => (isManyToMany(given) ? { type: 'array', items: { type: 'string' } } : { type: 'string' }),
} satisfies FieldType<RelationOptions>;

/** What a relation field says of its target; undefined for every other type. */
export function relationOf(field: Pick<Field, 'type' | 'options'>): RelationOptions | undefined {
  return field.type === 'relation' ? (field.options as RelationOptions) : undefined;
}

function isManyToMany(given: RelationOptions): boolean {
  return given.cardinality === 'M:N';
}

function checkOne({ value }: { readonly value: unknown }): Checked {
  if (typeof value !== 'string') return notA('the id of a record');
  return recordIdPattern.test(value) ? acceptedText(value) : refused('invalid_id');
}

function checkList({ value }: { readonly value: unknown }): Checked {
  if (!Array.isArray(value)) return notA('a list of record ids');
  if (value.length > idsMax) return refused('too_many', { max: idsMax });
  const ids = new Set<string>();
  for (const id of value) {
    if (typeof id !== 'string') return notA('a list of record ids');
    if (!recordIdPattern.test(id)) return refused('invalid_id');
    ids.add(id);
  }
  return ids.size === value.length ? acceptedList([...ids]) : notA('a list of different record ids');
}
