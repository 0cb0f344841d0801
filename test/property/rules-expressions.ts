import fc from 'fast-check';
import { operatorSymbols, type OperandSyntax, type OperatorSymbol, type SyntaxTree } from '../../store/rules/syntax/syntax-tree.ts';

// Rows and expressions that meet often: both draw from the same small pools of awkward values.

export type Kind = 'text' | 'number' | 'bool' | 'date' | 'datetime' | 'json' | 'select' | 'selects' | 'relation' | 'relations';
export type Json = Readonly<Record<string, unknown>>;

export interface SampleField {
  readonly name: string;
  readonly kind: Kind;
}

const selectOptions = ['a', 'B', 'ä', '😀', 'NULL', 'x,"y"'];
export const targetIds = ['t1', 't2', 'T-1'];

export const definitions: Readonly<Record<Kind, Json>> = {
  text: { type: 'text' },
  number: { type: 'number' },
  bool: { type: 'bool' },
  date: { type: 'date' },
  datetime: { type: 'datetime' },
  json: { type: 'json' },
  select: { type: 'select', options: selectOptions },
  selects: { type: 'select', options: selectOptions, maxSelect: 4 },
  relation: { type: 'relation', relationConfig: { targetSvc: 'targets' } },
  relations: { type: 'relation', relationConfig: { targetSvc: 'targets', cardinality: 'M:N' } },
};
export const kinds = Object.keys(definitions) as Kind[];

const texts = [
  '',
  'a',
  'A',
  'ab',
  'aXb',
  'ä',
  'Ä',
  '😀',
  '\u{fffd}',
  '\u{e000}',
  '\u{10ffff}',
  'a%b',
  'a_b',
  '%',
  '_',
  '\\',
  'x\\',
  '\\%',
  '"',
  "'",
  'NULL',
  'true',
  '5',
  '{}',
  '$1',
  'a\nb',
  't1',
  'abcabcabd',
];
const numbers = [0, 1, -1, 5, 0.1, -0.5, 1e15, 1e21, 123456.789, 1e-5, 1e-7, 1.7976931348623157e308, 5e-324, 9007199254740991, -1e300];
const dates = ['0001-01-01', '1999-12-31', '2000-02-29', '2026-01-31', '2026-02-01', '9999-12-31'];
const instants = [
  '0001-01-01T00:00:00.000Z',
  '2026-01-31T00:00:00.000Z',
  '2026-01-31T12:00:00.000Z',
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];
const scalars = [...texts, ...numbers, true, false, null];
const jsonValue = fc.oneof(
  fc.constantFrom<unknown>(...scalars),
  fc.record({ a: fc.constantFrom<unknown>(...scalars), b: fc.array(fc.constantFrom<unknown>(...scalars), { maxLength: 3 }) }, { requiredKeys: [] }),
  fc.record({ a: fc.record({ b: fc.constantFrom<unknown>(...scalars) }) }),
  fc.array(fc.constantFrom<unknown>(...scalars), { maxLength: 3 }),
);

/** Json as only raw text can have it; numbers beyond a double, equal keys, exponents in every spelling. */
export const rawJson = [
  '{"a":1e400,"b":[-1E-400,-0,1E+05]}',
  '{"a":0.00e999999999,"a":1e0000001}',
  '1e-99999999999',
  `0.${'0'.repeat(400)}1e400`,
  `{"a":${'9'.repeat(320)}}`,
  `1${'0'.repeat(310)}e-310`,
  '{"a":{"b":1},"a":{}}',
];

const values: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
  text: fc.oneof(
    fc.constantFrom(...texts),
    fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\0') && text.isWellFormed()),
  ),
  number: fc.constantFrom(...numbers),
  bool: fc.boolean(),
  date: fc.constantFrom(...dates),
  datetime: fc.constantFrom(...instants),
  json: jsonValue,
  select: fc.constantFrom(...selectOptions),
  selects: fc.uniqueArray(fc.constantFrom(...selectOptions), { maxLength: 4 }),
  relation: fc.constantFrom(...targetIds),
  relations: fc.uniqueArray(fc.constantFrom(...targetIds)),
};

export function rowBody(fields: readonly SampleField[]): fc.Arbitrary<Json> {
  return fc.record(Object.fromEntries(fields.map(({ name, kind }) => [name, fc.option(values[kind], { nil: null, freq: 4 })])));
}

const operator = fc.record({ symbol: fc.constantFrom<OperatorSymbol>(...operatorSymbols), isAnyOf: fc.boolean(), position: fc.constant(0) });

/** Conditions of every form that a predicate can answer; most fit, the rest are refused by the check and drawn again. */
export function expression(fields: readonly SampleField[]): fc.Arbitrary<SyntaxTree> {
  const condition = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...fields).chain((field) => conditionOn(field, fields)) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('condition' as const),
        source: fc.constant(''),
        left: requestOperand(fields),
        operator,
        right: literalOf('text'),
      }),
    },
  );
  const { tree } = fc.letrec<{ tree: SyntaxTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 5, arbitrary: condition },
      {
        weight: 1,
        arbitrary: fc
          .record({ kind: fc.constantFrom('all' as const, 'any' as const), parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) })
          .map(flat),
      },
    ),
  }));
  return tree;
}

/** A group within a group of its kind is one group, as the parser reads it. */
function flat({ kind, parts }: { readonly kind: 'all' | 'any'; readonly parts: readonly SyntaxTree[] }): SyntaxTree {
  return { kind, parts: parts.map((part) => (part.kind === kind ? { ...part, kind: kind === 'all' ? 'any' : 'all' } : part)) };
}

function conditionOn(field: SampleField, fields: readonly SampleField[]): fc.Arbitrary<SyntaxTree> {
  const left = fieldOperand(field);
  const right = fc.oneof(
    { weight: 5, arbitrary: literalOf(field.kind) },
    { weight: 1, arbitrary: fc.constantFrom(pathOf('null'), textOf('')) },
    { weight: 2, arbitrary: fc.constantFrom(...fields).chain(fieldOperand) },
    { weight: 2, arbitrary: requestOperand(fields) },
    { weight: 1, arbitrary: fc.constantFrom('@now', '@todayStart', '@todayEnd', '@month', '@year').map((name) => pathOf(name)) },
  );
  return fc
    .record({ kind: fc.constant('condition' as const), source: fc.constant(''), left, operator, right, isTurned: fc.boolean() })
    .map(({ isTurned, ...rest }) => (isTurned ? { ...rest, left: rest.right, right: rest.left } : rest));
}

function fieldOperand({ name, kind }: SampleField): fc.Arbitrary<OperandSyntax> {
  const plain = pathOf(name);
  if (kind === 'json')
    return fc.constantFrom(
      plain,
      pathOf(`${name}.a`),
      pathOf(`${name}.b.1`),
      pathOf(`${name}.a.b`),
      pathOf(`${name}.0`),
      pathOf(name, 'each'),
      pathOf(`${name}.b`, 'each'),
      pathOf(`${name}.b`, 'length'),
      pathOf(`${name}.a`, 'lower'),
    );
  if (kind === 'selects' || kind === 'relations') return fc.constantFrom(plain, plain, pathOf(name, 'length'), pathOf(name, 'each', 'lower'));
  if (kind === 'date' || kind === 'datetime')
    return fc.oneof(
      fc.constant(plain),
      fc.constantFrom('%Y-%m-%d', '%H:%M', '%j %u %w %e', '%s', '%f%p%I', '100%%').map((format) => strftime(format, plain)),
    );
  return kind === 'text' || kind === 'select' ? fc.constantFrom(plain, plain, pathOf(name, 'lower')) : fc.constant(plain);
}

function requestOperand(fields: readonly SampleField[]): fc.Arbitrary<OperandSyntax> {
  const names = fields.map(({ name }) => name);
  return fc.oneof(
    fc
      .constantFrom('@request.auth.id', '@request.auth.x', '@request.query.x', '@request.headers.x_y', '@request.method', '@request.body.free')
      .map((name) => pathOf(name)),
    fc
      .constantFrom(...names)
      .chain((name) =>
        fc
          .constantFrom([], ['isset'], ['changed'], ['lower'], ['length'], ['each'])
          .map((modifiers) => pathOf(`@request.body.${name}`, ...modifiers)),
      ),
  );
}

function literalOf(kind: Kind): fc.Arbitrary<OperandSyntax> {
  if (kind === 'number') return fc.constantFrom(...numbers).map(numberOf);
  if (kind === 'bool') return fc.constantFrom(pathOf('true'), pathOf('false'));
  if (kind === 'date') return fc.constantFrom(...dates, '2026-01-31 10:00:00').map(textOf);
  if (kind === 'datetime') return fc.constantFrom(...instants, '2026-01-31', '2026-01-31 12:00').map(textOf);
  if (kind === 'json')
    return fc.oneof(
      fc.constantFrom(...texts).map(textOf),
      fc.constantFrom(...numbers).map(numberOf),
      fc.constantFrom(pathOf('true'), pathOf('false')),
    );
  const pool = kind === 'text' ? texts : [...selectOptions, ...targetIds];
  return fc.constantFrom(...pool, 'a%', '%b', '%a_b', '_', '%', 'A%B', '%\\%%', 'X').map(textOf);
}

function strftime(format: string, of: OperandSyntax): OperandSyntax {
  return { kind: 'call', name: 'strftime', given: [textOf(format), of], position: 0 };
}

function textOf(value: string): OperandSyntax {
  return { kind: 'text', text: value, position: 0 };
}

function numberOf(value: number): OperandSyntax {
  return { kind: 'number', value, position: 0 };
}

function pathOf(name: string, ...modifiers: readonly string[]): OperandSyntax {
  return { kind: 'path', names: name.split('.'), alias: undefined, modifiers, position: 0 };
}

/** The requests that expressions are asked with. */
export function requests(fields: readonly SampleField[]) {
  const wild = fc.oneof(
    fc.constantFrom<unknown>(...texts, ...numbers, true, null, 'a%', '2026-01-31', 't1'),
    fc.constant({ deep: 1 }),
    fc.array(fc.constantFrom<unknown>('a', 'B', 5, ''), { maxLength: 2 }),
  );
  const scalar = fc.constantFrom(...texts, '5', '1e3', '2026-01-31T12:00:00Z', 'a%');
  return fc.record({
    auth: fc.option(fc.record({ id: fc.constantFrom(...targetIds), x: wild })),
    body: fc.record(
      { ...Object.fromEntries(fields.map(({ name, kind }) => [name, fc.oneof(values[kind], wild)])), free: wild },
      { requiredKeys: [] },
    ),
    query: fc.record({ x: scalar }, { requiredKeys: [] }),
    headers: fc.record({ x_y: scalar }, { requiredKeys: [] }),
    method: fc.constantFrom('GET', 'PATCH'),
    context: fc.constant('default'),
  });
}

/** The text that the parser reads as the tree. */
export function print(tree: SyntaxTree): string {
  if (tree.kind === 'condition') {
    const { symbol, isAnyOf } = tree.operator;
    return `${printOperand(tree.left)} ${isAnyOf ? '?' : ''}${symbol} ${printOperand(tree.right)}`;
  }
  return tree.parts.map((part) => (part.kind === 'condition' ? print(part) : `(${print(part)})`)).join(tree.kind === 'all' ? ' && ' : '\n||  ');
}

function printOperand(operand: OperandSyntax): string {
  switch (operand.kind) {
    case 'text':
      return `"${operand.text.replaceAll(/["\\]/g, '\\$&')}"`;
    case 'number':
      return String(operand.value);
    case 'path':
      return [operand.names.join('.'), ...operand.modifiers].join(':');
    case 'call':
      return `${operand.name}(${operand.given.map(printOperand).join(', ')})`;
  }
}
