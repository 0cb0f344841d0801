import { fail } from '../../proto/errors/svc-error.ts';
import { FaultList } from '../../proto/schema/faults.ts';
import type { CollectionDefinition } from '../../proto/schema/definition.ts';
import { compact, parseJson } from '../../proto/values/json.ts';
import { wireTime } from '../../proto/values/time.ts';
import { collectionText } from './answer.ts';
import { changeSchema, type Around, type CollectionDeps, type PlanRequest, type SchemaWork } from './change-schema.ts';
import { raiseVersion, updateCollectionRow } from './collections.sql.ts';
import { readPatch } from './definition/collection-draft.ts';
import { followRenames, requireRulesHold } from './definition/check-rules.ts';
import { redefineCollection } from './definition/define-collection.ts';
import { planHash, plannedIds, planText, requireSamePlan } from './plan.ts';
import { writeDefinition } from './stored-definition.ts';
import { dropSearchIndex, searchedFields } from './search/search.sql.ts';
import { carryOut } from './table/carry-out.ts';
import { tableName } from './table-name.ts';
import { tablePlan } from './table/table-plan.ts';

export interface CollectionUpdate {
  readonly name: string;
  readonly body: Uint8Array;
  readonly plan: PlanRequest;
  readonly around?: Around | undefined;
}

/** Changes a collection and its table; answers the collection's JSON, or the plan's. What changes nothing writes nothing. */
export async function updateCollection(deps: CollectionDeps, input: CollectionUpdate): Promise<string> {
  const body = parseJson(input.body);
  return changeSchema(deps, { label: 'collections.update', plan: input.plan, around: input.around }, async ({ tx, schema }: SchemaWork) => {
    const before = schema.byName(input.name) ?? fail('collection_not_found');
    if (before.system) fail('collection_protected');
    const faults = new FaultList();
    const draft = readPatch(body.value, faults);
    const hash = planHash({ action: 'update', version: schema.version, name: before.name, body: compact(body.text) });
    const version = Number(schema.version) + 1;
    const after = redefineCollection({ draft, schema, version, now: wireTime(deps.clock.now()), newId: plannedIds(hash), faults }, before);
    const renamed = schema.with([after]);
    const followers = followRenames(schema, renamed).filter(({ id }) => id !== after.id);
    requireRulesHold(schema, renamed.with(followers));
    const plan = tablePlan({ before, after, tableOf: tableName(schema) });
    if (input.plan.only) return planText(plan, hash);
    requireSamePlan(input.plan.hash, hash);
    if (after === before) return collectionText(before, schema);
    if (searchedBy(after) !== searchedBy(before)) await tx.query('search.drop-index', dropSearchIndex(before));
    await carryOut(tx, plan, after);
    for (const changed of [after, ...followers]) {
      await tx.execute(updateCollectionRow, [changed.id, changed.name, writeDefinition(changed), changed.docVersion, after.updatedAt]);
    }
    await tx.execute(raiseVersion, []);
    return collectionText(after, schema);
  });
}

/** Where this differs, an index of the words is of other fields; it is made anew when somebody searches. */
function searchedBy(collection: CollectionDefinition): string {
  return JSON.stringify(searchedFields(collection).map(({ id, type }) => [id, type]));
}
