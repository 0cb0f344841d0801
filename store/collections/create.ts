import { FaultList } from '../../proto/schema/faults.ts';
import { compact, parseJson } from '../../proto/values/json.ts';
import { wireTime } from '../../proto/values/time.ts';
import { collectionText } from './answer.ts';
import { changeSchema, type Around, type CollectionDeps, type PlanRequest, type SchemaWork } from './change-schema.ts';
import { insertCollection, raiseVersion } from './collections.sql.ts';
import { readCreation } from './definition/collection-draft.ts';
import { defineCollection } from './definition/define-collection.ts';
import { planHash, plannedIds, planText, requireSamePlan } from './plan.ts';
import { writeDefinition } from './stored-definition.ts';
import { carryOut } from './table/carry-out.ts';
import { tableName } from './table-name.ts';
import { tablePlan } from './table/table-plan.ts';

export interface CollectionCreation {
  readonly body: Uint8Array;
  readonly plan: PlanRequest;
  readonly around?: Around | undefined;
}

/** Creates a collection and its table; answers the collection's JSON, or the plan's. */
export async function createCollection(deps: CollectionDeps, input: CollectionCreation): Promise<string> {
  const body = parseJson(input.body);
  return changeSchema(deps, { label: 'collections.create', plan: input.plan, around: input.around }, async ({ tx, schema }: SchemaWork) => {
    const faults = new FaultList();
    const draft = readCreation(body.value, faults);
    const hash = planHash({ action: 'create', version: schema.version, name: draft.name ?? '', body: compact(body.text) });
    const version = Number(schema.version) + 1;
    const definition = defineCollection({ draft, schema, version, now: wireTime(deps.clock.now()), newId: plannedIds(hash), faults });
    const plan = tablePlan({ before: undefined, after: definition, tableOf: tableName(schema) });
    if (input.plan.only) return planText(plan, hash);
    requireSamePlan(input.plan.hash, hash);
    await carryOut(tx, plan, definition);
    const { id, name, type, system, docVersion, createdAt, updatedAt } = definition;
    await tx.execute(insertCollection, [id, name, type, system, writeDefinition(definition), docVersion, createdAt, updatedAt]);
    await tx.execute(raiseVersion, []);
    return collectionText(definition, schema);
  });
}
