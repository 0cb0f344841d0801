import type { AuthRequest } from './deps.ts';

/** The header of this name, in lower case; empty where it was not sent. */
export function headerOf({ headers }: Pick<AuthRequest, 'headers'>, name: string): string {
  const start = `${name}: `;
  const line = headers.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? '' : line.slice(start.length);
}
