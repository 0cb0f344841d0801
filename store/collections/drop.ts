import { fail } from '../../proto/errors/svc-error.ts';
import type { CollectionDefinition } from '../../proto/schema/collection.ts';
import type { Schema } from './catalogue.ts';
import { changeSchema, type Around, type CollectionDeps, type PlanRequest, type SchemaWork } from './change-schema.ts';
import { deleteCollection, raiseVersion } from './collections.sql.ts';
import { requireRulesHold } from './definition/check-rules.ts';
import { planHash, planText, requireSamePlan } from './plan.ts';
import { carryOut } from './table/carry-out.ts';
import { tableName } from './table-name.ts';
import { tablePlan } from './table/table-plan.ts';

export interface CollectionDrop {
  readonly name: string;
  readonly plan: PlanRequest;
  readonly around?: Around | undefined;
}

/** Deletes a collection and its table; answers an empty text, or the plan's JSON. */
export function dropCollection(deps: CollectionDeps, input: CollectionDrop): Promise<string> {
  return changeSchema(deps, { label: 'collections.drop', plan: input.plan, around: input.around }, async ({ tx, schema }: SchemaWork) => {
    const before = schema.byName(input.name) ?? fail('collection_not_found');
    if (before.system) fail('collection_protected');
    requireUnreferenced(before, schema);
    requireRulesHold(schema, schema.without(before.id));
    const hash = planHash({ action: 'delete', version: schema.version, name: before.name, body: '' });
    const plan = tablePlan({ before, after: undefined, tableOf: tableName(schema) });
    if (input.plan.only) return planText(plan, hash);
    requireSamePlan(input.plan.hash, hash);
    await carryOut(tx, plan, before);
    await tx.execute(deleteCollection, [before.id]);
    await tx.execute(raiseVersion, []);
    return '';
  });
}

/** A collection's relations to itself go with it. */
function requireUnreferenced(collection: CollectionDefinition, schema: Schema): void {
  const others = schema.referencesTo(collection.id).filter((reference) => reference.collection.id !== collection.id);
  const names = new Set(others.map((reference) => reference.collection.name));
  if (names.size > 0) fail('collection_referenced', { values: { collections: [...names].join(', ') } });
}
