import type { Field } from '../../../proto/fields/field-type.ts';
import { isListField } from '../../../proto/fields/registry.ts';
import { relationOf } from '../../../proto/fields/types/relation.ts';
import type { CollectionDefinition } from '../../../proto/schema/collection.ts';

/** What a change means for those who use the collection. */
export interface Consequences {
  /** What is lost, one sentence each. */
  readonly destructive: readonly string[];
  /** What callers have relied on and cannot any more. */
  readonly breaks: readonly string[];
}

export function consequencesOf(before: CollectionDefinition | undefined, after: CollectionDefinition | undefined): Consequences {
  if (before === undefined) return { destructive: [], breaks: [] };
  if (after === undefined) {
    return { destructive: [`The collection ${before.name} is dropped with all its records.`], breaks: [`The collection ${before.name} is gone.`] };
  }
  const gone = before.fields.filter((field) => !after.fields.some(({ id }) => id === field.id));
  const renamed = before.name === after.name ? [] : [`The collection ${before.name} is called ${after.name}.`];
  return {
    destructive: gone.map((field) => `The field ${field.name} is dropped with all its values.`),
    breaks: [
      ...renamed,
      ...gone.map((field) => `The field ${field.name} is gone.`),
      ...after.fields.flatMap((field) =>
        fieldBreaks(
          before.fields.find(({ id }) => id === field.id),
          field,
        ),
      ),
    ],
  };
}

function fieldBreaks(before: Field | undefined, after: Field): readonly string[] {
  const name = after.name;
  if (before === undefined) return after.required && after.default === undefined ? [`New records need a value for the new field ${name}.`] : [];
  const said: [boolean, string][] = [
    [before.name !== name, `The field ${before.name} is called ${name}.`],
    [before.type !== after.type, `The field ${name} is ${after.type}; it was ${before.type}.`],
    [
      before.type === after.type && isListField(before) !== isListField(after),
      `The field ${name} is ${isListField(after) ? 'a list' : 'one value'} now.`,
    ],
    [!before.required && after.required, `The field ${name} is required.`],
    [!before.unique && after.unique, `The field ${name} is unique.`],
    [!before.hidden && after.hidden, `The field ${name} is hidden.`],
    [relationOf(before)?.targetId !== relationOf(after)?.targetId && before.type === after.type, `The field ${name} refers to another collection.`],
  ];
  return said.filter(([isSo]) => isSo).map(([, sentence]) => sentence);
}
