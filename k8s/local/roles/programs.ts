import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RoleName } from './role-environment.ts';

/** The folder of compiled files, whose layout is that of the sources. */
export const compiledRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** The programs by path: the supervisor imports no room. */
export const programs: Readonly<Record<RoleName | 'migrate' | 'svc', string>> = {
  gateway: path.join(compiledRoot, 'gateway', 'main.js'),
  store: path.join(compiledRoot, 'store', 'main.js'),
  worker: path.join(compiledRoot, 'workers', 'main.js'),
  migrate: path.join(compiledRoot, 'store', 'migrate.js'),
  svc: path.join(compiledRoot, 'k8s', 'local', 'svc.js'),
};
