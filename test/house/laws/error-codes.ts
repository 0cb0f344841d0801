import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';
import { withoutAssertions } from '../tree/syntax.ts';

const cataloguePath = 'proto/errors/catalogue.ts';

/** Codes of requests that reach no endpoint, so that none can declare them. */
const beforeAnyEndpoint: Readonly<Record<string, string>> = {
  route_not_found: 'no endpoint has this path',
  method_not_allowed: 'no endpoint has this path and method',
};

/** Codes that no product file raises: a text that nobody can meet. */
export function unusedCodes(sources: readonly Source[], codes: readonly string[]): Finding[] {
  const raised = new Set(sources.filter((source) => source.isProduct && source.path !== cataloguePath).flatMap(raisedIn));
  return codes.filter((code) => !raised.has(code)).map((code) => ({ where: cataloguePath, what: `${code} is raised nowhere` }));
}

/** Codes that no endpoint declares, so that the OpenAPI document does not know them. */
export function undeclaredCodes(sources: readonly Source[], codes: readonly string[]): Finding[] {
  const declared = new Set(sources.filter((source) => source.path.startsWith('gateway/') && source.isProduct).flatMap(declaredIn));
  return codes
    .filter((code) => !declared.has(code) && !(code in beforeAnyEndpoint))
    .map((code) => ({ where: cataloguePath, what: `${code} is declared by no endpoint` }));
}

/** Every text that may be a code on its way: what is no type, no module's name, no key and no part of a declaration. */
function raisedIn(source: Source): string[] {
  return textsOf(source, (node) => !ts.isLiteralTypeNode(node.parent) && !ts.isImportDeclaration(node.parent) && !isKey(node) && !isDeclared(node));
}

function declaredIn(source: Source): string[] {
  return textsOf(source, isDeclared);
}

function textsOf(source: Source, counts: (node: ts.StringLiteral) => boolean): string[] {
  const texts: string[] = [];
  source.walk((node) => {
    if (ts.isStringLiteral(node) && counts(node)) texts.push(node.text);
  });
  return texts;
}

function isKey(node: ts.StringLiteral): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** Inside `errors: [...]` of an endpoint, or inside a list that such lists are made of (`const commonErrors = [...]`). */
function isDeclared(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isPropertyAssignment(at) && !ts.isVariableDeclaration(at)) continue;
    return (
      at.initializer !== undefined && ts.isArrayLiteralExpression(withoutAssertions(at.initializer)) && /(errors|codes)$/i.test(at.name.getText())
    );
  }
  return false;
}
