import path from 'node:path';
import ts from 'typescript';
import type { Source } from './source.ts';

/** `x` of `(x as const satisfies T)`. */
export function withoutAssertions(node: ts.Expression): ts.Expression {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) return withoutAssertions(node.expression);
  return node;
}

/** What `node` calls, as it is written. */
export function calleeOf(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) ? node.expression.getText() : undefined;
}

export function hasModifier(node: ts.Node, kind: ts.ModifierSyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false);
}

/** The project's file that an import in `source` names; packages and Node's own modules have none. */
export function importedPath(source: Source, specifier: string): string | undefined {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(source.path), specifier) : undefined;
}

/** The value of the constant `name` as `source` knows it: declared there, or imported from another of `sources`. */
export function constantOf(sources: readonly Source[], source: Source, name: string): { source: Source; value: ts.Expression } | undefined {
  for (const statement of source.syntax.statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find((each) => each.name.getText() === name);
      if (found?.initializer !== undefined) return { source, value: withoutAssertions(found.initializer) };
    }
    const imported = ts.isImportDeclaration(statement) ? importedAs(source, statement, name) : undefined;
    const from = sources.find((each) => each.path === imported?.path);
    if (imported !== undefined && from !== undefined) return constantOf(sources, from, imported.name);
  }
  return undefined;
}

function importedAs(
  source: Source,
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  name: string,
): { path: string; name: string } | undefined {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings) || !ts.isStringLiteral(moduleSpecifier)) return undefined;
  const found = bindings.elements.find((element) => element.name.text === name);
  const from = importedPath(source, moduleSpecifier.text);
  return found === undefined || from === undefined ? undefined : { path: from, name: (found.propertyName ?? found.name).text };
}
