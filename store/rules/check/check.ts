import { refuse } from '../refuse.ts';
import type { ConditionSyntax, SyntaxTree } from '../syntax/syntax-tree.ts';
import { fit } from './fit.ts';
import { resolveOperand } from './resolve-operand.ts';
import type { Scope } from './scope.ts';
import { isEach, rowsOf, type Operand, type TypedTest, type TypedTree } from './typed-tree.ts';

/** Finds every name of `tree` in `scope` and makes the types fit; fails with `bad_filter` where it cannot. */
export function check(tree: SyntaxTree, scope: Scope): TypedTree {
  if (tree.kind === 'condition') return checkCondition(tree, scope);
  return { kind: tree.kind, parts: tree.parts.map((part) => check(part, scope)) };
}

/** One tree that holds where all of `trees` do. */
export function allOf(trees: readonly TypedTree[]): TypedTree {
  const [only] = trees;
  return trees.length === 1 && only !== undefined ? only : { kind: 'all', parts: trees };
}

function checkCondition({ left, operator, right }: ConditionSyntax, scope: Scope): TypedTest {
  const sides = fit(operator, resolveOperand(scope, left), resolveOperand(scope, right));
  const several = [sides.left, sides.right].some(isSeveral);
  if (isEach(sides.left) && isEach(sides.right) && scope.use === 'filter')
    refuse(operator.position, 'a filter does not compare two lists with each other');
  return {
    kind: 'test',
    operator: operator.symbol,
    quantifier: several && !operator.isAnyOf ? 'every' : 'some',
    position: operator.position,
    ...sides,
  };
}

function isSeveral(operand: Operand): boolean {
  return isEach(operand) || rowsOf(operand).some((row) => row.isMany);
}
