import { fail } from '../../../proto/errors/svc-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { arrayLiteral } from '../../postgres/write-coalescer.ts';
import type { RecordShape, Shapes, ShapeField } from '../shape/shape.ts';
import { selectReferring } from '../statements/references.sql.ts';

/** Records that one delete may touch; a larger one is refused. */
const touchedMax = 10_000;

/** What a delete would touch in one collection. */
export interface Found {
  readonly shape: RecordShape;
  readonly deleted: Set<string>;
  /** Records that lose references, with the fields that point to what goes. */
  readonly unlinked: Map<string, Set<ShapeField>>;
}

interface Step {
  readonly shape: RecordShape;
  readonly ids: readonly string[];
}

/** Follows the relations backwards from what is deleted, without locking anything. */
export class CascadeWalk {
  readonly found = new Map<string, Found>();
  readonly #shapes: Shapes;
  readonly #tx: Transaction;
  readonly #restricted: Step[] = [];

  constructor(shapes: Shapes, tx: Transaction) {
    this.#shapes = shapes;
    this.#tx = tx;
  }

  /** Records found so far. */
  get size(): number {
    let size = 0;
    for (const { deleted, unlinked } of this.found.values()) size += deleted.size + unlinked.size;
    return size;
  }

  /** Finds all that deleting the record would touch; fails where a relation forbids it. */
  async from(shape: RecordShape, id: string): Promise<void> {
    this.#in(shape).deleted.add(id);
    let steps: readonly Step[] = [{ shape, ids: [id] }];
    while (steps.length > 0) {
      const next: Step[] = [];
      for (const step of steps) next.push(...(await this.#behind(step)));
      steps = next;
    }
    this.#requireUnrestricted();
  }

  async #behind(step: Step): Promise<readonly Step[]> {
    const doomed: Step[] = [];
    for (const reference of step.shape.references) {
      const source = this.#shapes.of(step.shape.schema, reference.collection);
      const field = source.fields.find((candidate) => candidate.field.id === reference.fieldId);
      if (field === undefined) continue;
      const ids = this.#settle(source, field, await this.#referring(source, field, step));
      if (ids.length > 0) doomed.push({ shape: source, ids });
      if (this.size > touchedMax) refuseSize();
    }
    return doomed;
  }

  async #referring(source: RecordShape, field: ShapeField, step: Step): Promise<readonly { id: string; isEmptied: boolean }[]> {
    const statement = source.compiled.get(`referring ${field.field.id}`, () => selectReferring(source, field));
    const values = [arrayLiteral(step.ids), String(touchedMax)];
    const going = arrayLiteral([...this.#in(step.shape).deleted]);
    const rows = await this.#tx.execute(statement, field.place.kind === 'join' ? [...values, going] : values);
    if (rows.length > touchedMax) refuseSize();
    return rows.map(([id, isEmptied]) => ({ id: id ?? '', isEmptied: isEmptied === 'true' }));
  }

  /** What the relation's onDelete makes of the records that refer; answers those that are deleted with it. */
  #settle(source: RecordShape, field: ShapeField, referring: readonly { id: string; isEmptied: boolean }[]): readonly string[] {
    const { deleted, unlinked } = this.#in(source);
    const fresh = referring.filter(({ id }) => !deleted.has(id));
    const emptied = fresh.flatMap(({ id, isEmptied }) => (isEmptied ? [id] : []));
    const { onDelete } = field.field.options;
    if (onDelete === 'RESTRICT') this.#restricted.push({ shape: source, ids: fresh.map(({ id }) => id) });
    else if (onDelete === 'CASCADE') emptied.forEach((id) => deleted.add(id));
    else if (field.field.required) this.#restricted.push({ shape: source, ids: emptied });
    for (const { id } of fresh) if (!deleted.has(id)) unlinked.set(id, (unlinked.get(id) ?? new Set()).add(field));
    return onDelete === 'CASCADE' ? emptied : [];
  }

  /** A record that is deleted by another way forbids nothing. */
  #requireUnrestricted(): void {
    const names = this.#restricted.flatMap(({ shape, ids }) => {
      const { deleted } = this.#in(shape);
      return ids.every((id) => deleted.has(id)) ? [] : [shape.collection.name];
    });
    if (names.length > 0) fail('delete_restricted', { values: { collections: [...new Set(names)].join(', ') } });
  }

  #in(shape: RecordShape): Found {
    const known = this.found.get(shape.collection.id);
    if (known !== undefined) return known;
    const made: Found = { shape, deleted: new Set(), unlinked: new Map() };
    this.found.set(shape.collection.id, made);
    return made;
  }
}

function refuseSize(): never {
  return fail('bad_request', {
    values: { reason: `The delete would touch more than ${touchedMax} records; delete the records that refer to it first.` },
  });
}
