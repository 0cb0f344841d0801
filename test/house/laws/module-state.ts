import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';
import { hasModifier, withoutAssertions } from '../tree/syntax.ts';

const collections = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array']);
const mutators = new Set(['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'set', 'add', 'delete', 'clear']);

/** State that lives in a module: two instances in one process would share it, and a test could not have its own. */
export function moduleState(sources: readonly Source[]): Finding[] {
  return sources.filter((source) => source.isProduct).flatMap((source) => source.syntax.statements.flatMap((each) => stateOf(source, each)));
}

function stateOf(source: Source, statement: ts.Statement): Finding[] {
  if (ts.isClassDeclaration(statement))
    return statement.members.filter(isMutableStatic).map((each) => finding(source, each, 'a static field that can change'));
  if (!ts.isVariableStatement(statement) || hasModifier(statement, ts.SyntaxKind.DeclareKeyword)) return [];
  if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) return [finding(source, statement, 'a variable of the module')];
  return statement.declarationList.declarations
    .filter((each) => isMutable(source, each))
    .map((each) => finding(source, each, `${each.name.getText()} can change`));
}

function finding(source: Source, node: ts.Node, what: string): Finding {
  return { where: `${source.path}:${source.lineOf(node)}`, what };
}

function isMutableStatic(member: ts.ClassElement): boolean {
  if (!ts.isPropertyDeclaration(member) || !hasModifier(member, ts.SyntaxKind.StaticKeyword)) return false;
  if (!hasModifier(member, ts.SyntaxKind.ReadonlyKeyword)) return true;
  return member.initializer !== undefined && isNewCollection(member.initializer) && !isReadonlyType(member.type);
}

function isMutable(source: Source, { name, type, initializer }: ts.VariableDeclaration): boolean {
  if (initializer === undefined || isReadonlyType(type)) return false;
  if (isConst(initializer)) return false;
  const value = withoutAssertions(initializer);
  if (isNewCollection(value) || isWalkingPattern(source, name, value)) return true;
  if (!ts.isArrayLiteralExpression(value) && !ts.isObjectLiteralExpression(value)) return false;
  return isEmpty(value) || (ts.isIdentifier(name) && isChangedIn(source, name.text));
}

/** A pattern with the flag g or y remembers where it stopped once somebody calls exec or test on it. */
function isWalkingPattern(source: Source, name: ts.BindingName, value: ts.Expression): boolean {
  if (!ts.isRegularExpressionLiteral(value) || !/[gy][a-z]*$/.test(value.text)) return false;
  return new RegExp(`(^|[^.\\w])${name.getText()}\\.(exec|test)\\(`).test(source.text);
}

/** An empty literal waits to be filled. */
function isEmpty(value: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression): boolean {
  return ts.isArrayLiteralExpression(value) ? value.elements.length === 0 : value.properties.length === 0;
}

function isNewCollection(node: ts.Expression): boolean {
  return ts.isNewExpression(node) && ts.isIdentifier(node.expression) && collections.has(node.expression.text);
}

/** `Readonly<...>`, `ReadonlyMap<...>`, `readonly x[]`. */
function isReadonlyType(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && /^readonly/i.test(type.getText());
}

/** `as const`, `as ReadonlySet<...>`, with or without `satisfies`. */
function isConst(node: ts.Expression): boolean {
  if (ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) return isConst(node.expression);
  return ts.isAsExpression(node) && (node.type.getText() === 'const' || isReadonlyType(node.type));
}

/** Whether the file assigns to a member of `name`, deletes one, or calls a method that changes it. */
function isChangedIn(source: Source, name: string): boolean {
  let isChanged = false;
  source.walk((node) => {
    isChanged ||= changedBy(node) === name;
  });
  return isChanged;
}

/** The name at the root of what `node` changes. */
function changedBy(node: ts.Node): string | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return rootOf(node.left);
  if (ts.isDeleteExpression(node)) return rootOf(node.expression);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return rootOf(node.operand);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  if (expression.getText() === 'Object' && name.text === 'assign') return node.arguments[0]?.getText();
  return mutators.has(name.text) && ts.isIdentifier(expression) ? expression.text : undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** `a` of `a.b`, `a[b].c`; nothing of a plain `a`, which is a binding, not a member. */
function rootOf(node: ts.Expression): string | undefined {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return undefined;
  return ts.isIdentifier(node.expression) ? node.expression.text : rootOf(node.expression);
}
