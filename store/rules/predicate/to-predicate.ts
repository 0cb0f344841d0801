import { isEach, rowsOf, type Operand, type TypedTest, type TypedTree } from '../check/typed-tree.ts';
import { containsPattern, likePattern } from '../operators/like.ts';
import { operators as allOperators, type Operators } from '../operators/operators.sql.ts';
import type { Value } from '../operators/value.ts';
import { requestValue } from '../request/request-value.ts';
import type { RequestValues } from '../request/request-values.ts';
import type { Reading, RowValues } from './reading.ts';
import { valuesOf } from './values.ts';

export type Predicate =
  | { readonly kind: 'predicate'; readonly test: (row: RowValues, request: RequestValues, now: Date) => boolean }
  /** The tree asks for other rows, or for arithmetic that only Postgres does the same way twice. */
  | { readonly kind: 'needs-database' };

/** The tree as a function of a row, with the verdict that its SQL has. `operators` is another table in tests that plant faults. */
export function toPredicate(tree: TypedTree, operators: Operators = allOperators): Predicate {
  if (needsDatabase(tree)) return { kind: 'needs-database' };
  const holds = compile(tree, operators);
  return { kind: 'predicate', test: (row, request, now) => holds({ row, request, now }) };
}

type Holds = (reading: Reading) => boolean;

function needsDatabase(tree: TypedTree): boolean {
  if (tree.kind !== 'test') return tree.parts.some(needsDatabase);
  return [tree.left, tree.right].some((operand) => rowsOf(operand).length > 0 || isDatabaseWork(operand));
}

/** Trigonometry differs in the last digit from library to library; shifted times may leave the years that JavaScript can write. */
function isDatabaseWork(operand: Operand): boolean {
  if (operand.kind === 'distance') return true;
  if (operand.kind === 'strftime') return operand.shifts.length > 0 || isDatabaseWork(operand.of);
  return operand.kind === 'lower' && isDatabaseWork(operand.of);
}

function compile(tree: TypedTree, operators: Operators): Holds {
  if (tree.kind === 'test') return compileTest(tree, operators);
  const parts = tree.parts.map((part) => compile(part, operators));
  return tree.kind === 'all' ? (reading) => parts.every((holds) => holds(reading)) : (reading) => parts.some((holds) => holds(reading));
}

/** Every value of one side meets every value of the other. A side that is absent makes the test false. */
function compileTest(test: TypedTest, operators: Operators): Holds {
  const compare = comparing(test, operators);
  const left = valuesOf(test.left, test.as);
  const right = rightValues(test);
  const passes: (values: readonly Value[], holds: (value: Value) => boolean) => boolean =
    test.quantifier === 'every' ? (values, holds) => values.every(holds) : (values, holds) => values.some(holds);
  return (reading) => {
    const [lefts, rights] = [left(reading), right(reading)];
    if (lefts === undefined || rights === undefined) return false;
    return passes(lefts, (one) => passes(rights, (other) => compare(one, other)));
  };
}

function comparing(test: TypedTest, operators: Operators): (left: Value, right: Value) => boolean {
  const operator = operators[test.operator];
  const isEquality = test.operator === '=' || test.operator === '!=';
  if (!isEquality || test.as === 'presence') return (left, right) => operator.test(left, right);
  const [leftIsRequest, rightIsRequest] = [isRequest(test.left), isRequest(test.right)];
  if (!leftIsRequest && !rightIsRequest) return (left, right) => operator.test(orNull(left), orNull(right));
  const mayMissLeft = !leftIsRequest || isLiteral(test.right);
  const mayMissRight = !rightIsRequest || isLiteral(test.left);
  // What a list of the request does not have equals nothing and differs from nothing, but a literal is never that value.
  return (left, right) => (left !== null || mayMissLeft) && (right !== null || mayMissRight) && operator.test(left, right);
}

function rightValues({ operator, right, as }: TypedTest): (reading: Reading) => readonly Value[] | undefined {
  if (operator !== '~' && operator !== '!~') return valuesOf(right, as);
  if (right.kind === 'literal') {
    const pattern = [likePattern(right.text ?? '')];
    return () => pattern;
  }
  if (right.kind === 'request' && right.form === 'value') {
    return ({ request }) => {
      const pattern = requestValue(request, right, 'pattern');
      return pattern === undefined ? undefined : [pattern];
    };
  }
  const values = valuesOf(right, 'text');
  return (reading) => values(reading)?.map((part) => containsPattern(part === null ? '' : String(part)));
}

function orNull(value: Value): Value {
  return value === '' ? null : value;
}

function isLiteral(operand: Operand): boolean {
  return operand.kind === 'literal' || operand.kind === 'macro';
}

function isRequest(operand: Operand): boolean {
  if (operand.kind === 'lower' || operand.kind === 'strftime') return isRequest(operand.of);
  return operand.kind === 'request' && (isEach(operand) || operand.form === 'value' || operand.form === 'length');
}
