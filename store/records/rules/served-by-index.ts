import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import { hasUniqueIndex } from '../../collections/table/table-shape.ts';
import type { Operand, TypedTree } from '../../rules/index.ts';

/** Whether an index of the collection finds the rows that pass: an equality that all of them meet, or an order that bounds them. */
export function isServedByIndex(collection: CollectionDefinition, tree: TypedTree): boolean {
  switch (tree.kind) {
    case 'all':
      return tree.parts.some((part) => isServedByIndex(collection, part));
    case 'any':
      return tree.parts.length > 0 && tree.parts.every((part) => isServedByIndex(collection, part));
    case 'test':
      return servedOperators.includes(tree.operator) && tree.as !== 'presence' && hasIndexed(collection, tree.left, tree.right);
  }
}

/** A point of an index, or a stretch of it. */
const servedOperators: readonly string[] = ['=', '>', '>=', '<', '<='];

function hasIndexed(collection: CollectionDefinition, left: Operand, right: Operand): boolean {
  return (isIndexedField(collection, left) && isGiven(right)) || (isIndexedField(collection, right) && isGiven(left));
}

function isGiven({ kind }: Operand): boolean {
  return kind === 'literal' || kind === 'request' || kind === 'macro';
}

function isIndexedField({ fields, indexes }: CollectionDefinition, operand: Operand): boolean {
  if (operand.kind !== 'field' || operand.row.kind !== 'record' || operand.form !== 'value' || operand.path.length > 0) return false;
  const { id, name } = operand.field;
  if (name === 'id') return true;
  const field = fields.find((each) => each.id === id);
  return (field !== undefined && (hasUniqueIndex(field) || field.type === 'relation')) || indexes.some((index) => index.fields[0]?.name === name);
}
