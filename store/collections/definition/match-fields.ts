import { fault } from '../../../proto/errors/svc-error.ts';
import type { Field } from '../../../proto/fields/field-type.ts';
import type { FieldDraft } from '../../../proto/schema/collection.ts';
import type { FaultList } from '../../../proto/schema/faults.ts';
import { nameKey } from '../../../proto/schema/names.ts';

/**
 * Which present field each draft means, by its place in the list: the one with its id, else the one with its name that no
 * id has claimed, else none (a new field). So a known id with another name is a rename, and two fields may swap names.
 */
export function matchFields(drafts: readonly (FieldDraft | undefined)[], present: readonly Field[], faults: FaultList): ReadonlyMap<number, Field> {
  const byId = new Map(present.map((field) => [field.id, field]));
  const byName = new Map(present.map((field) => [nameKey(field.name), field]));
  const matches = new Map<number, Field>();
  const claimed = new Set<Field>();
  const claim = (index: number, field: Field | undefined): void => {
    if (field === undefined || claimed.has(field)) return;
    matches.set(index, field);
    claimed.add(field);
  };
  drafts.forEach((draft, index) => {
    const field = draft?.id === undefined ? undefined : byId.get(draft.id);
    if (field !== undefined && claimed.has(field)) faults.add(['fields', index, 'id'], fault('duplicate_name'));
    claim(index, field);
  });
  drafts.forEach((draft, index) => {
    if (draft !== undefined && !matches.has(index)) claim(index, byName.get(nameKey(draft.name)));
  });
  return matches;
}
