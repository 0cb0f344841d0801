import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import { arrayLiteral } from '../../postgres/write-coalescer.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { bindParameters, toSql } from '../../rules/index.ts';
import { sightOf } from '../access.ts';
import type { RecordDeps } from '../deps.ts';
import { refuseParameter } from '../parameters.ts';
import { quicklyIfFree } from '../slowly.ts';
import { ruleOf } from '../rules/rule.ts';
import { RuleRequest, type RuleRequestInput } from '../rules/rule-request.ts';
import type { ExpandNode } from './expand-tree.ts';
import { relatedMax, selectRelated } from './related.sql.ts';

/** For whom records are shown, and by which request. */
export interface Viewer {
  readonly principal: Principal;
  readonly request: RuleRequestInput;
}

/** A record that a relation leads to, beside the id by which it was found. */
export interface Related {
  readonly key: string;
  readonly document: string;
}

/** What a relation leads to from all of `ids`, in one statement, as far as the view rule of those records lets the viewer see them. */
export async function readRelated(deps: RecordDeps, viewer: Viewer, node: ExpandNode, ids: readonly string[]): Promise<readonly Related[]> {
  const { shape } = node;
  const rule = viewRuleFor(viewer.principal, node);
  if (rule === 'locked' || ids.length === 0) return [];
  if (ids.length > relatedMax) return refuseLargeExpand(node);
  const sight = sightOf(shape, viewer.principal);
  const key = `expand ${node.direction} ${node.field.field.id} ${sight} ${rule === 'open' ? '' : rule.key}`;
  const compiled = shape.compiled.get(key, () => {
    const condition = rule === 'open' ? undefined : toSql(rule.tree, { alias: 'record', firstParameter: 3 });
    return { statement: selectRelated(node, sight, condition?.condition), parameters: condition?.parameters ?? [] };
  });
  const bound = bindParameters(compiled.parameters, new RuleRequest(viewer.principal, viewer.request), new Date(deps.clock.now()));
  const rows = await quicklyIfFree(deps, compiled.statement, [shape.schema.version, arrayLiteral(ids), ...bound]);
  if (rows[0]?.[0] !== shape.schema.version) throw new StaleCatalogue();
  if (rows.length > relatedMax) return refuseLargeExpand(node);
  return rows.flatMap(([, found, document]) => (found === null || found === undefined ? [] : [{ key: found, document: document ?? '' }]));
}

function refuseLargeExpand({ name }: ExpandNode): never {
  return refuseParameter('expand', `${name} leads to more than ${relatedMax} records; ask for a smaller page`);
}

function viewRuleFor(principal: Principal, { shape }: ExpandNode): ReturnType<typeof ruleOf> {
  if (isPrivileged(principal)) return 'open';
  const authCollection = principal.kind === 'user' ? shape.schema.byId(principal.collectionId) : undefined;
  return ruleOf(shape, 'viewRule', authCollection);
}
