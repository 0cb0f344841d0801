import type { ColumnShape, ForeignKeyShape, IndexShape, JoinShape } from './table-shape.ts';

/** What is in `before` and not, or not like that, in `after`. Two entries of one key are alike when their marks are. */
export function goneOrChanged<Shape>(
  before: ReadonlyMap<string, Shape>,
  after: ReadonlyMap<string, Shape>,
  mark: (shape: Shape) => string,
): readonly Shape[] {
  return [...before].flatMap(([key, shape]) => {
    const other = after.get(key);
    return other !== undefined && mark(other) === mark(shape) ? [] : [shape];
  });
}

/** What is in `after` and was not, or not like that, in `before`. */
export function newOrChanged<Shape>(
  before: ReadonlyMap<string, Shape>,
  after: ReadonlyMap<string, Shape>,
  mark: (shape: Shape) => string,
): readonly Shape[] {
  return goneOrChanged(after, before, mark);
}

export function indexMark({ parts, unique }: IndexShape): string {
  return JSON.stringify([parts.map(({ column, descending }) => [column, descending]), unique]);
}

export function keyMark({ targetId }: ForeignKeyShape): string {
  return targetId;
}

export function joinMark({ targetId }: JoinShape): string {
  return targetId;
}

/** Whether the values of a column that stays have to become other values. */
export function isConverted(old: ColumnShape, column: ColumnShape): boolean {
  return old.field.type !== column.field.type || old.type !== column.type;
}
