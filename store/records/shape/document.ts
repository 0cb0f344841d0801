import { memberTexts } from '../../../proto/values/json.ts';
import type { RecordShape, ShapeField } from './shape.ts';

/** Which fields a document shows: those everybody may see, or the hidden ones too. */
export type Sight = 'public' | 'full';

/** One record as the store holds it while it works: the JSON text of each field, by name. */
export interface Row {
  readonly id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** The JSON text of a record; the same text that document.sql.ts makes of its columns. */
export function documentText(shape: RecordShape, row: Row, sight: Sight): string {
  let text = `{"id":${JSON.stringify(row.id)},"created_at":"${row.createdAt}","updated_at":"${row.updatedAt}"`;
  for (const field of shape.fields) {
    if (field.isHidden && sight === 'public') continue;
    text += `,"${field.name}":${row.texts.get(field.name) ?? emptyText(field)}`;
  }
  return `${text}}`;
}

/** Takes a full document apart again. */
export function rowOf(document: string): Row {
  const texts = memberTexts(document);
  return {
    id: JSON.parse(texts.get('id') ?? '""') as string,
    createdAt: unquoted(texts.get('created_at')),
    updatedAt: unquoted(texts.get('updated_at')),
    texts,
  };
}

/** What an absent or cleared value looks like. */
function emptyText(field: ShapeField): string {
  return field.isList ? '[]' : 'null';
}

function unquoted(text = '""'): string {
  return text.slice(1, -1);
}
