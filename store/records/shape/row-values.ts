import type { RowValues } from '../../rules/index.ts';
import type { Row } from './document.ts';

/** A row that is not stored yet, as rules read it: the values that its document will show, hidden ones included. */
export function valuesOfRow({ id, createdAt, updatedAt, texts }: Row): RowValues {
  const values: Record<string, unknown> = {};
  for (const [name, text] of texts) values[name] = JSON.parse(text);
  return { ...values, id, created_at: createdAt, updated_at: updatedAt };
}
