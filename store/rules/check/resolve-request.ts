import { relationOf } from '../../../proto/fields/types/relation.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import { refuse } from '../refuse.ts';
import type { PathSyntax } from '../syntax/syntax-tree.ts';
import { findField } from './field-ref.ts';
import { enter, joined, quoted, resolveField } from './resolve-field.ts';
import type { Scope } from './scope.ts';
import type { FieldRef, Operand, RequestOperand, RequestPart } from './typed-tree.ts';

/** The operand that `@request.*` names. */
export function resolveRequest(scope: Scope, syntax: PathSyntax): Operand {
  const [, part = '', ...path] = syntax.names;
  if (!isPart(part)) return refuse(syntax.position, '@request has auth, body, query, headers, method and context');
  if (scope.use === 'filter' && part !== 'auth')
    return refuse(syntax.position, `a filter does not know @request.${part}; of the request it has @request.auth`);
  const hasPath = part !== 'method' && part !== 'context';
  if (hasPath !== path.length > 0)
    return refuse(syntax.position, hasPath ? `a name must follow @request.${part}` : `nothing lies behind @request.${part}`);
  if (part === 'headers') return value(part, [path.join('.').toLowerCase().replaceAll('-', '_')]);
  if (part === 'auth') return ofRecord(scope, { syntax, part, path, collection: scope.authCollection });
  return part === 'body'
    ? ofRecord(scope, { syntax, part, path, collection: scope.collection })
    : value(part, part === 'query' ? [path.join('.')] : []);
}

/** The field of the record that a value of the body would go to. */
export function bodyField(scope: Scope, operand: RequestOperand): FieldRef | undefined {
  const [name = '', ...rest] = operand.path;
  return operand.part === 'body' && rest.length === 0 ? findField(scope.collection, name, 'full') : undefined;
}

interface RecordPath {
  readonly syntax: PathSyntax;
  readonly part: 'auth' | 'body';
  readonly path: readonly string[];
  /** Undefined: any field may stand there. */
  readonly collection: CollectionDefinition | undefined;
}

function ofRecord(scope: Scope, { syntax, part, path, collection }: RecordPath): Operand {
  const [name = '', ...rest] = path;
  // An account's collection and id are there whatever its fields are; a body may bring keys that are no fields.
  if (collection === undefined || (part === 'auth' && name === 'svc' && rest.length === 0)) return value(part, path);
  const field = findField(collection, name, part === 'auth' ? scope.sight : 'full');
  if (field === undefined) return part === 'auth' ? refuse(syntax.position, `the account has no field ${quoted(name)}`) : value(part, path);
  if (rest.length === 0 || (rest.length === 1 && rest[0] === 'id' && field.type === 'relation')) {
    return { kind: 'request', part, path: [field.name], form: field.place === 'column' ? 'value' : 'each' };
  }
  if (field.type === 'json') return value(part, path);
  if (field.type !== 'relation') return refuse(syntax.position, `${quoted(name)} is a ${field.type} field, and nothing lies behind it`);
  const definition = collection.fields.find((each) => each.id === field.id);
  const at = { position: syntax.position, depth: 0 };
  const target = enter(scope, at, scope.schema.byId((definition && relationOf(definition)?.targetId) ?? ''));
  const isList = field.place !== 'column';
  const row = joined(scope, target, {
    key: `@request.${part}.${field.id}`,
    step: { kind: 'request', part, path: [field.name], isList },
    isMany: isList,
  });
  return resolveField(scope, { row, collection: target, names: rest, depth: 1, position: syntax.position });
}

function value(part: RequestPart, path: readonly string[]): RequestOperand {
  return { kind: 'request', part, path, form: 'value' };
}

function isPart(name: string): name is RequestPart {
  return ['auth', 'body', 'query', 'headers', 'method', 'context'].includes(name);
}
