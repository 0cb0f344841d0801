import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compiledRoot } from './roles/programs.ts';

/** The version in package.json. */
export function serviceVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(compiledRoot, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}
