import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a script of the project exports; `Exports` says what the caller expects of it. */
export async function projectScript<Exports>(root: string, file: string): Promise<Exports> {
  return (await import(pathToFileURL(path.join(root, file)).href)) as Exports;
}
