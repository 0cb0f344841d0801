import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';

/** Something that only one place may touch. */
export interface Place {
  readonly what: string;
  /** The files that may, and why each. */
  readonly allowed: Readonly<Record<string, string>>;
  readonly advice: string;
  isTouchedBy(node: ts.Node): boolean;
}

/** The environment: one reader, so that every variable has a description, a check and a line in .env.example. */
export const environment: Place = {
  what: 'reads the environment',
  allowed: { 'proto/process/config.ts': 'the one reader' },
  advice: 'Declare the variable in a readConfig shape and take the value from the config that main hands down.',
  isTouchedBy: (node) => isMemberOf(node, 'process', ['env', 'loadEnvFile']) || imports(node, /^(node:)?process$/, ['env', 'loadEnvFile']),
};

/** The clock: a test sets the time instead of waiting for it. */
export const clock: Place = {
  what: 'asks the machine for the time',
  allowed: { 'proto/values/time.ts': 'systemClock' },
  advice: 'Take `clock` (proto/values/time.ts) from deps. Lengths of time may use performance.now().',
  isTouchedBy: (node) => isDateOfNow(node) || isMemberOf(node, 'performance', ['timeOrigin']),
};

const randomNames = ['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'];

/** Chance: a test gives the ids, and every random draw is a strong one. */
export const chance: Place = {
  what: 'draws at random',
  allowed: {
    'proto/values/ids.ts': 'randomIds',
    'k8s/local/secrets.ts': 'makes the keys of an installation once; a key is no id, and no test may choose it',
  },
  advice: 'Take `ids` (proto/values/ids.ts) from deps.',
  isTouchedBy: (node) =>
    isMemberOf(node, 'Math', ['random']) ||
    (ts.isPropertyAccessExpression(node) && randomNames.includes(node.name.text)) ||
    imports(node, /^(node:)?(crypto|webcrypto)$/, randomNames) ||
    imports(node, /^(uuid|nanoid)$/, []),
};

/** Standard output and error: processes write log lines, and one place speaks to the person at the terminal. */
export const terminal: Place = {
  what: 'writes to the terminal',
  allowed: {
    'proto/process/lifecycle.ts': 'says what is wrong with the configuration, before there is a log',
    'k8s/local/reporter.ts': 'gives the svc command its terminal',
  },
  advice: 'Use `log` from deps; what a person at the terminal should see goes through the one place in k8s/local.',
  isTouchedBy: (node) =>
    (ts.isIdentifier(node) && node.text === 'console' && isValue(node)) ||
    isMemberOf(node, 'globalThis', ['console']) ||
    isMemberOf(node, 'process', ['stdout', 'stderr']) ||
    imports(node, /^(node:)?(console|process)$/, ['log', 'stdout', 'stderr']),
};

/** Product files that touch what belongs to another place. */
export function outsideIts(place: Place, sources: readonly Source[]): Finding[] {
  const others = sources.filter((source) => source.isProduct && !(source.path in place.allowed));
  return others.flatMap((source) => touches(place, source).map((line) => ({ where: `${source.path}:${line}`, what: place.what })));
}

/** Files that are allowed to and need it no more: an exception that nobody uses is a gap. */
export function unusedExceptions(place: Place, sources: readonly Source[]): Finding[] {
  const used = sources.filter((source) => source.path in place.allowed && touches(place, source).length > 0).map((source) => source.path);
  return Object.keys(place.allowed)
    .filter((file) => !used.includes(file))
    .map((file) => ({ where: file, what: `is allowed to, but no longer ${place.what}` }));
}

function touches(place: Place, source: Source): number[] {
  const lines: number[] = [];
  source.walk((node) => {
    if (place.isTouchedBy(node)) lines.push(source.lineOf(node));
  });
  return lines;
}

/** `object.name`, `object['name']`, `globalThis.object.name` and `const { name } = object`. */
function isMemberOf(node: ts.Node, object: string, names: readonly string[]): boolean {
  if (ts.isPropertyAccessExpression(node)) return isObject(node.expression, object) && names.includes(node.name.text);
  if (ts.isElementAccessExpression(node)) {
    return isObject(node.expression, object) && ts.isStringLiteralLike(node.argumentExpression) && names.includes(node.argumentExpression.text);
  }
  if (!ts.isBindingElement(node) || !ts.isVariableDeclaration(node.parent.parent)) return false;
  const from = node.parent.parent.initializer;
  return from !== undefined && isObject(from, object) && names.includes((node.propertyName ?? node.name).getText());
}

function isObject(node: ts.Expression, name: string): boolean {
  return new RegExp(`^((globalThis|global)\\.)?${name}$`).test(node.getText());
}

/** An import from a module of this name, of any of `names`; of anything at all when there are none. */
function imports(node: ts.Node, module: RegExp, names: readonly string[]): boolean {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier) || !module.test(node.moduleSpecifier.text)) return false;
  const bindings = node.importClause?.namedBindings;
  if (names.length === 0) return true;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.some((element) => names.includes((element.propertyName ?? element.name).text));
}

/** Every use of Date but those that say which instant they mean, and types. */
function isDateOfNow(node: ts.Node): boolean {
  if (!ts.isIdentifier(node) || node.text !== 'Date' || !isValue(node)) return false;
  const { parent } = node;
  if (ts.isNewExpression(parent)) return (parent.arguments?.length ?? 0) === 0;
  if (ts.isPropertyAccessExpression(parent)) return !['parse', 'UTC', 'prototype'].includes(parent.name.text);
  return !(ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword);
}

/** Whether an identifier names a value here: no type, no member of something else, no key, no declaration of its own. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isTypeNode(parent) || ts.isImportSpecifier(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !('name' in parent && parent.name === node);
}
