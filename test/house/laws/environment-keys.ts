import ts from 'typescript';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';
import { calleeOf, constantOf, withoutAssertions } from '../tree/syntax.ts';

const examplePath = '.env.example';
const readerPath = 'proto/process/config.ts';
const keyShape = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;

/** Keys that .env.example promises and nobody reads, and keys that are read and stand not in it. */
export function keysApart(sources: readonly Source[]): Finding[] {
  const example = sources.find((source) => source.path === examplePath);
  const listed = new Set([...(example?.text ?? '').matchAll(/^(?:#\s*)?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1] ?? ''));
  const { keys, lost } = keysRead(sources);
  const unread = [...listed].filter((key) => !keys.has(key)).map((key) => ({ where: examplePath, what: `${key} is read by nobody` }));
  const unlisted = [...keys]
    .filter(([key]) => !listed.has(key))
    .map(([key, where]) => ({ where, what: `${key} is read and stands not in ${examplePath}` }));
  return [...unread, ...unlisted, ...lost];
}

interface KeysRead {
  /** Each key, and where it is declared. */
  readonly keys: Map<string, string>;
  /** Shapes that could not be followed to their keys. */
  readonly lost: Finding[];
}

function keysRead(sources: readonly Source[]): KeysRead {
  const read: KeysRead = { keys: new Map(), lost: [] };
  for (const source of sources.filter((each) => each.isProduct)) {
    source.walk((node) => {
      if (calleeOf(node) === 'readConfig' && ts.isCallExpression(node) && node.arguments[0] !== undefined)
        follow(sources, source, node.arguments[0], read);
      if (source.path === readerPath) takeDirectRead(source, node, read);
    });
  }
  return read;
}

/** Adds the keys of a shape: an object, a constant that holds one, or one spread into another. */
function follow(sources: readonly Source[], source: Source, shape: ts.Expression, read: KeysRead): void {
  const bare = withoutAssertions(shape);
  if (ts.isIdentifier(bare)) {
    const constant = constantOf(sources, source, bare.text);
    if (constant !== undefined) return follow(sources, constant.source, constant.value, read);
  }
  const where = `${source.path}:${source.lineOf(shape)}`;
  if (!ts.isObjectLiteralExpression(bare)) {
    read.lost.push({ where, what: `the keys of ${bare.getText().slice(0, 40)} cannot be told; declare the shape as a constant object` });
    return;
  }
  for (const property of bare.properties) {
    if (ts.isSpreadAssignment(property)) follow(sources, source, property.expression, read);
    else if (property.name !== undefined) read.keys.set(property.name.getText(), `${source.path}:${source.lineOf(property)}`);
  }
}

/** The reader itself asks for a key or two before there is a shape: `own['SVC_ENV_FILE']`. */
function takeDirectRead(source: Source, node: ts.Node, read: KeysRead): void {
  if (!ts.isElementAccessExpression(node) || !ts.isStringLiteral(node.argumentExpression)) return;
  const key = node.argumentExpression.text;
  if (keyShape.test(key)) read.keys.set(key, `${source.path}:${source.lineOf(node)}`);
}
