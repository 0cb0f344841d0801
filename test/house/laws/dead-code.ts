import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';
import { hasModifier, importedPath } from '../tree/syntax.ts';

/** Files that are started by path, by the test runner or by a page, so that nobody imports them. */
const entries = /(^|\/)(main|migrate|svc|run|soak)\.ts$|\.task\.ts$|\.test\.ts$|^bench\/micro\/|^gateway\/pages\/browser\/|\.d\.ts$/;

/** Product and test files that no other file imports and nothing starts. */
export function unreachedFiles(sources: readonly Source[]): Finding[] {
  const code = sources.filter((source) => isOurCode(source));
  const imported = new Set(code.flatMap((source) => importsOf(source).map(({ path }) => path)));
  const namedByPath = (source: Source): boolean => code.some((each) => each !== source && mentions(each, source));
  return code
    .filter((source) => !entries.test(source.path) && !imported.has(source.path) && !namedByPath(source))
    .map((source) => ({ where: source.path, what: 'is imported and started by nothing' }));
}

/** Functions, classes and constants of the product that are exported and that no other file imports. */
export function unusedExports(sources: readonly Source[]): Finding[] {
  const code = sources.filter((source) => isOurCode(source));
  const used = new Set(code.flatMap((source) => importsOf(source).map(({ path, name }) => `${path}#${name}`)));
  return code
    .filter((source) => source.isProduct && !entries.test(source.path) && !used.has(`${source.path}#*`))
    .flatMap((source) =>
      exportsOf(source)
        .filter((name) => !used.has(`${source.path}#${name}`))
        .map((name) => ({ where: source.path, what: `exports ${name}, which nobody imports` })),
    );
}

/** Packages of package.json that no file names: neither code, nor script, nor configuration. */
export function idlePackages(sources: readonly Source[], names: readonly string[]): Finding[] {
  const manifest = sources.find(({ path }) => path === 'package.json')?.text ?? '';
  const scripts = /"scripts": \{[^}]*\}/.exec(manifest)?.[0] ?? '';
  const texts = [
    scripts,
    ...sources.filter((source) => /\.([cm]?[jt]s|ya?ml|proto)$/.test(source.path) || source.path === 'tsconfig.json').map(({ text }) => text),
  ];
  return names.filter((name) => !isNamed(texts, name)).map((name) => ({ where: 'package.json', what: `${name} is used by nothing` }));
}

/** A package of types is used where the package is that it describes. */
function isNamed(texts: readonly string[], name: string): boolean {
  const word = name.replace(/^@types\//, '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`(^|['"\\s/])${word}(['"/:@\\s]|$)`, 'm');
  return texts.some((text) => named.test(text));
}

function isOurCode(source: Source): boolean {
  return source.path.endsWith('.ts') && !source.isGenerated;
}

/** A worker or child process is named by its compiled path, `./hash.task.js`. */
function mentions(source: Source, target: Source): boolean {
  const file = target.path.slice(target.path.lastIndexOf('/') + 1).replace(/\.ts$/, '');
  return new RegExp(`['"\`/]${file.replaceAll('.', '\\.')}\\.[jt]s['"\`]`).test(source.text);
}

/** Each name that a file takes from another; `*` for all of them. */
function importsOf(source: Source): { path: string; name: string }[] {
  const found: { path: string; name: string }[] = [];
  source.walk((node) => {
    const specifier = specifierOf(node);
    const path = specifier === undefined ? undefined : importedPath(source, specifier);
    if (path !== undefined) found.push(...namesOf(node).map((name) => ({ path, name })));
  });
  return found;
}

function specifierOf(node: ts.Node): string | undefined {
  if (
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier !== undefined &&
    ts.isStringLiteral(node.moduleSpecifier)
  )
    return node.moduleSpecifier.text;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
    return node.argument.literal.text;
  return undefined;
}

function namesOf(node: ts.Node): string[] {
  const bindings = bindingsOf(node);
  if (bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)))
    return bindings.elements.map((element) => (element.propertyName ?? element.name).text);
  return ['*'];
}

function bindingsOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node)) return node.importClause?.namedBindings;
  return ts.isExportDeclaration(node) ? node.exportClause : undefined;
}

function exportsOf(source: Source): string[] {
  return source.syntax.statements.flatMap((statement) => {
    if (!hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map((each) => each.name.getText());
    return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name !== undefined ? [statement.name.text] : [];
  });
}
