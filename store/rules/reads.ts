import type { FieldRef, JoinedRow, Operand, RequestPart, Row, TypedTree } from './check/typed-tree.ts';

/** A field that an expression reads; a system field has its name for an id. Without a field: the collection as such. */
export interface FieldRead {
  readonly collectionId: string;
  readonly fieldId?: string;
}

/** The collections and fields that a tree reads, each once. */
export function fieldsRead(tree: TypedTree): readonly FieldRead[] {
  const reads = operandsOf(tree).flatMap(readsOf);
  return [...new Map(reads.map((read) => [`${read.collectionId} ${read.fieldId ?? ''}`, read])).values()];
}

/** The parts of the request that a tree reads; empty: its verdict depends on the row and the time alone. */
export function usesRequest(tree: TypedTree): ReadonlySet<RequestPart> {
  return new Set(operandsOf(tree).flatMap(partsOf));
}

function operandsOf(tree: TypedTree): readonly Operand[] {
  return tree.kind === 'test' ? [tree.left, tree.right] : tree.parts.flatMap(operandsOf);
}

function innerOperands(operand: Operand): readonly Operand[] {
  if (operand.kind === 'lower' || operand.kind === 'strftime') return [operand.of];
  return operand.kind === 'distance' ? operand.given : [];
}

function readsOf(operand: Operand): readonly FieldRead[] {
  if (operand.kind === 'changed') return [readOf(operand.field)];
  if (operand.kind === 'field') return [...readsOfRow(operand.row), readOf(operand.field)];
  return innerOperands(operand).flatMap(readsOf);
}

function readsOfRow(row: Row): readonly FieldRead[] {
  if (row.kind === 'record') return [];
  return [...readsOfStep(row), { collectionId: row.collectionId }];
}

function readsOfStep({ step }: JoinedRow): readonly FieldRead[] {
  return step.kind === 'forward' || step.kind === 'back' ? [...readsOfRow(step.from), readOf(step.field)] : [];
}

function readOf({ collectionId, id }: FieldRef): FieldRead {
  return { collectionId, fieldId: id };
}

function partsOf(operand: Operand): readonly RequestPart[] {
  if (operand.kind === 'request') return [operand.part];
  if (operand.kind === 'changed') return ['body'];
  if (operand.kind === 'field') return partsOfRow(operand.row);
  return innerOperands(operand).flatMap(partsOf);
}

function partsOfRow(row: Row): readonly RequestPart[] {
  if (row.kind === 'record') return [];
  const guarding = row.guard === undefined ? [] : [...usesRequest(row.guard)];
  if (row.step.kind === 'request') return [row.step.part, ...guarding];
  return row.step.kind === 'collection' ? guarding : [...partsOfRow(row.step.from), ...guarding];
}
