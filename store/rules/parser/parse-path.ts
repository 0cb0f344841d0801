import { refuse } from '../refuse.ts';
import type { PathSyntax } from '../syntax/syntax-tree.ts';

/** The parts of a name with dots and colons: `@collection.name:alias.field:modifier`. */
export function parsePath(text: string, position: number): PathSyntax {
  const parts = text.split('.').map((part) => part.split(':'));
  const names = parts.map(([name = '']) => name);
  const isCollection = names[0] === '@collection';
  const [, aliased = []] = parts;
  const hasAlias = isCollection && parts.length > 2 && aliased.length === 2;
  const strayed = parts.slice(0, -1).some((part, index) => part.length > 1 && !(hasAlias && index === 1));
  if (strayed) refuse(position, 'a modifier such as :lower stands behind the last name');
  return { kind: 'path', names, alias: hasAlias ? aliased[1] : undefined, modifiers: parts.at(-1)?.slice(1) ?? [], position };
}
