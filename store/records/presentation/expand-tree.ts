import { relationOf } from '../../../proto/fields/types/relation.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import type { RecordDeps } from '../deps.ts';
import { namesOf, refuseParameter } from '../parameters.ts';
import { callerScope } from '../rules/narrowing.ts';
import type { RecordShape, ShapeField } from '../shape/shape.ts';

/** What is to be shown beside a record: the records that its relations lead to, and what is to be shown beside those. */
export interface ExpandNode {
  /** As it stands under `expand`. */
  readonly name: string;
  /** Along a relation of the record, or against one of others that points to it. */
  readonly direction: 'forward' | 'back';
  /** The relation: the record's own, or that of the others. */
  readonly field: ShapeField;
  /** The shape of the records that are shown. */
  readonly shape: RecordShape;
  readonly isList: boolean;
  readonly children: readonly ExpandNode[];
}

const depthMax = 6;
const pathsMax = 50;
const back = '_via_';

/** Reads `expand`: a comma list of relation paths. Fails with `bad_query` where one leads nowhere that the caller may know of. */
export function readExpandTree(deps: Pick<RecordDeps, 'shapes'>, shape: RecordShape, principal: Principal, text: string): readonly ExpandNode[] {
  const paths = namesOf(text).map((path) => path.split('.'));
  if (paths.length > pathsMax) return refuseParameter('expand', `it takes at most ${pathsMax} paths`);
  if (paths.some(({ length }) => length > depthMax)) return refuseParameter('expand', `a path has at most ${depthMax} relations`);
  return nodesOf({ deps, principal }, shape, paths);
}

interface Reading {
  readonly deps: Pick<RecordDeps, 'shapes'>;
  readonly principal: Principal;
}

function nodesOf(reading: Reading, shape: RecordShape, paths: readonly (readonly string[])[]): readonly ExpandNode[] {
  const branches = new Map<string, (readonly string[])[]>();
  for (const [name = '', ...rest] of paths) branches.set(name, [...(branches.get(name) ?? []), ...(rest.length === 0 ? [] : [rest])]);
  return [...branches].map(([name, rest]) => {
    const step = name.includes(back) ? backStep(reading, shape, name) : forwardStep(reading, shape, name);
    if (step === undefined) return refuseParameter('expand', `${JSON.stringify(name.slice(0, 64))} is no relation of ${shape.collection.name}`);
    return { name, ...step, children: nodesOf(reading, step.shape, rest) };
  });
}

type Step = Omit<ExpandNode, 'name' | 'children'>;

function forwardStep({ deps, principal }: Reading, shape: RecordShape, name: string): Step | undefined {
  const field = shape.byName.get(name);
  const relation = field === undefined || isUnseen(field, principal) ? undefined : relationOf(field.field);
  const target = relation === undefined ? undefined : shape.schema.byId(relation.targetId);
  if (field === undefined || target === undefined) return undefined;
  return { direction: 'forward', field, shape: deps.shapes.of(shape.schema, target), isList: field.isList };
}

/** `<collection>_via_<field>`. That a collection exists which the caller may not read is not said either. */
function backStep({ deps, principal }: Reading, shape: RecordShape, name: string): Step | undefined {
  const [collectionName = '', fieldName = ''] = name.split(back);
  const collection = shape.schema.byName(collectionName);
  if (collection === undefined || !callerScope(shape, principal).mayRead(collection)) return undefined;
  const others = deps.shapes.of(shape.schema, collection);
  const field = others.byName.get(fieldName);
  const relation = field === undefined || isUnseen(field, principal) ? undefined : relationOf(field.field);
  if (field === undefined || relation?.targetId !== shape.collection.id) return undefined;
  return { direction: 'back', field, shape: others, isList: relation.cardinality !== '1:1' };
}

function isUnseen(field: ShapeField, principal: Principal): boolean {
  return field.isHidden && !isPrivileged(principal);
}
