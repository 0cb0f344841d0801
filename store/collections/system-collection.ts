import { wireTime } from '../../proto/values/time.ts';
import type { AuthOptions } from '../../proto/schema/auth-options.ts';
import type { CollectionType, Rules } from '../../proto/schema/definition.ts';
import { changeSchema, type CollectionDeps } from './change-schema.ts';
import { insertCollection, raiseVersion } from './collections.sql.ts';
import { fieldsOfType } from './definition/auth-fields.ts';
import { writeDefinition } from './stored-definition.ts';
import { carryOut } from './table/carry-out.ts';
import { tableName } from './table-name.ts';
import { tablePlan } from './table/table-plan.ts';

/** A collection that the service itself needs: nobody may change its definition. */
export interface SystemCollection {
  readonly id: string;
  readonly name: string;
  readonly type: CollectionType;
  readonly auth?: AuthOptions;
}

/** Makes the collection where it is not there yet; several stores may ask for it at once. */
export async function ensureSystemCollection(deps: CollectionDeps, wanted: SystemCollection): Promise<void> {
  if ((await deps.catalogue.current()).byId(wanted.id) !== undefined) return;
  await changeSchema(deps, { label: 'collections.ensure', plan: { only: false, hash: '' } }, async ({ tx, schema }) => {
    if (schema.byId(wanted.id) !== undefined) return '';
    const now = wireTime(deps.clock.now());
    const { id, name, type, auth } = wanted;
    const fields = fieldsOfType(type, numbered(id));
    const docVersion = Number(schema.version) + 1;
    const definition = {
      id,
      name,
      type,
      system: true,
      fields,
      indexes: [],
      rules: locked,
      ...(auth === undefined ? {} : { auth }),
      docVersion,
      createdAt: now,
      updatedAt: now,
    };
    await carryOut(tx, tablePlan({ before: undefined, after: definition, tableOf: tableName(schema) }), definition);
    await tx.execute(insertCollection, [id, name, type, true, writeDefinition(definition), docVersion, now, now]);
    await tx.execute(raiseVersion, []);
    return '';
  });
}

const locked: Rules = { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null };

/** Ids of fields that are the same in every installation: the collection's, its last characters a number. */
function numbered(id: string): () => string {
  let count = 0;
  return () => `${id.slice(0, -2)}${String((count += 1)).padStart(2, '0')}`;
}
