import { isMacroName } from '../request/macros.ts';
import { refuse } from '../refuse.ts';
import type { CallSyntax, OperandSyntax, PathSyntax } from '../syntax/syntax-tree.ts';
import { typeOf } from './fit.ts';
import { modify } from './modify.ts';
import { quoted, resolveField } from './resolve-field.ts';
import { resolveRequest } from './resolve-request.ts';
import type { Scope } from './scope.ts';
import { resolveStrftime } from './resolve-strftime.ts';
import { isEach, type DistanceOperand, type JoinedRow, type Operand } from './typed-tree.ts';

/** What a literal, a name or a call stands for. */
export function resolveOperand(scope: Scope, syntax: OperandSyntax): Operand {
  switch (syntax.kind) {
    case 'text':
      return { kind: 'literal', type: 'text', text: syntax.text };
    case 'number':
      return { kind: 'literal', type: 'number', text: String(syntax.value) };
    case 'path':
      return resolvePath(scope, syntax);
    case 'call':
      return resolveCall(scope, syntax);
  }
}

const words: ReadonlyMap<string, Operand> = new Map<string, Operand>([
  ['true', { kind: 'literal', type: 'bool', text: 'true' }],
  ['false', { kind: 'literal', type: 'bool', text: 'false' }],
  ['null', { kind: 'literal', type: 'nothing', text: null }],
]);

function resolvePath(scope: Scope, syntax: PathSyntax): Operand {
  const [first = ''] = syntax.names;
  const isPlain = syntax.names.length === 1 && syntax.modifiers.length === 0;
  const word = isPlain ? words.get(first) : undefined;
  return word ?? modify(scope, named(scope, syntax, first), syntax);
}

function named(scope: Scope, syntax: PathSyntax, first: string): Operand {
  if (first === '@request') return resolveRequest(scope, syntax);
  if (first === '@collection') return resolveCollection(scope, syntax);
  if (first.startsWith('@')) return resolveMacro(syntax, first.slice(1));
  return resolveField(scope, { row: { kind: 'record' }, collection: scope.collection, names: syntax.names, depth: 0, position: syntax.position });
}

function resolveMacro(syntax: PathSyntax, name: string): Operand {
  if (!isMacroName(name) || syntax.names.length > 1) return refuse(syntax.position, `there is no ${quoted(`@${name}`)}`);
  return { kind: 'macro', name };
}

function resolveCollection(scope: Scope, syntax: PathSyntax): Operand {
  if (scope.use === 'filter') return refuse(syntax.position, 'a filter does not know @collection; rules do');
  const [, name = '', ...names] = syntax.names;
  const collection = scope.schema.byName(name) ?? refuse(syntax.position, `there is no collection ${quoted(name)}`);
  if (names.length === 0) return refuse(syntax.position, `a field must follow ${quoted(`@collection.${name}`)}`);
  const key = `@collection.${collection.id}:${syntax.alias ?? ''}`;
  const row: JoinedRow = {
    kind: 'joined',
    key,
    collection: collection.name,
    collectionId: collection.id,
    step: { kind: 'collection' },
    isMany: true,
  };
  return resolveField(scope, { row, collection, names, depth: 0, position: syntax.position });
}

function resolveCall(scope: Scope, syntax: CallSyntax): Operand {
  if (syntax.name === 'strftime') return resolveStrftime(syntax, (given) => resolveOperand(scope, given));
  if (syntax.name === 'geoDistance') return resolveDistance(scope, syntax);
  return refuse(syntax.position, `there is no function ${quoted(syntax.name)}; there are geoDistance and strftime`);
}

function resolveDistance(scope: Scope, syntax: CallSyntax): DistanceOperand {
  const [lonA, latA, lonB, latB, ...more] = syntax.given.map((each) => resolveNumber(scope, each));
  if (lonA === undefined || latA === undefined || lonB === undefined || latB === undefined || more.length > 0) {
    return refuse(syntax.position, 'geoDistance takes four numbers: longitude and latitude of one point, then of the other');
  }
  return { kind: 'distance', given: [lonA, latA, lonB, latB] };
}

function resolveNumber(scope: Scope, syntax: OperandSyntax): Operand {
  const operand = resolveOperand(scope, syntax);
  const isFit = ['number', 'json', 'any'].includes(typeOf(operand)) && !isEach(operand);
  return isFit ? operand : refuse(syntax.position, 'geoDistance takes single numbers');
}
