import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { licencesOutside, type Lock, strangeAddresses, unfastened } from './laws/lock-file.ts';
import { requireNone } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectScript } from './tree/project-script.ts';

const root = projectRoot();
const { completeLock } = await projectScript<{ completeLock: (lock: Lock) => { lock: Lock; added: string[]; unknown: string[] } }>(
  root,
  'scripts/complete-lock.mjs',
);
const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Lock['packages'][string];

test('the lock file installs on every platform', () => {
  const { added, unknown } = completeLock(readLock());

  assert.deepEqual({ added, unknown }, { added: [], unknown: [] }, 'Run `node scripts/complete-lock.mjs` after every change of a dependency.');
});

test('the lock file is the one of package.json', () => {
  const { dependencies, devDependencies, engines } = readLock().packages[''] ?? {};

  assert.deepEqual(
    { dependencies, devDependencies, engines },
    { dependencies: manifest.dependencies, devDependencies: manifest.devDependencies, engines: manifest.engines },
    'Run `npm install`.',
  );
});

test('the lock file names no registry', () => {
  requireNone(strangeAddresses(lockText), 'Delete these lines and install again; .npmrc has omit-lockfile-registry-resolved=true.');
});

test('every package of the lock file is fastened by a hash, but for leaves of other platforms', () => {
  requireNone(unfastened(readLock()), 'Run `npm install` where the registry knows the package.');
});

test('every package has a licence that we may build on', () => {
  requireNone(licencesOutside(readLock()), 'Choose another package, or name this one with its reason in test/house/laws/lock-file.ts.');
});

test('a lock file without its platform leaves is completed, in the order in which npm writes', () => {
  const whole = readLock();
  const leaves = Object.keys(whole.packages).filter(
    (place) => /^node_modules\/@(uwsjs|oxlint|oxfmt|oxlint-tsgolint)\//.test(place) && !place.includes('linux-x64'),
  );
  const packages = Object.fromEntries(Object.entries(whole.packages).filter(([place]) => !leaves.includes(place)));

  const { lock, added, unknown } = completeLock({ ...whole, packages });

  assert.ok(leaves.length > 40, `only ${leaves.length} leaves were taken out`);
  assert.deepEqual(added.toSorted(), leaves.toSorted());
  assert.deepEqual(unknown, []);
  assert.deepEqual(Object.keys(lock.packages), Object.keys(whole.packages));
  assert.deepEqual(lock.packages['node_modules/@uwsjs/darwin-arm64-20'], {
    version: '20.51.4',
    cpu: ['arm64'],
    optional: true,
    os: ['darwin'],
    engines: { node: '>=20.0.0 <21.0.0' },
  });
});

test('a leaf whose version or platform cannot be told is left out and named', () => {
  const packages = {
    '': {},
    'node_modules/native': { version: '1.0.0', optionalDependencies: { 'native-linux-x64': '^1.0.0', 'native-extras': '1.0.0' } },
  };

  const { added, unknown } = completeLock({ lockfileVersion: 3, packages });

  assert.deepEqual(
    { added, unknown },
    { added: [], unknown: ['native-linux-x64@^1.0.0 of node_modules/native', 'native-extras@1.0.0 of node_modules/native'] },
  );
});

test('a registry, a missing hash and a foreign licence are found', () => {
  const planted: Lock = {
    lockfileVersion: 3,
    packages: {
      '': {},
      'node_modules/open': { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' },
      'node_modules/either': { version: '1.0.0', license: '(AGPL-3.0 OR MIT)', integrity: 'sha512-x' },
      'node_modules/both': { version: '1.0.0', license: '(AGPL-3.0 AND MIT)', integrity: 'sha512-x' },
      'node_modules/bare': { version: '1.0.0', resolved: 'https://registry.example/bare.tgz' },
      'node_modules/leaf': { version: '1.0.0', optional: true, os: ['darwin'] },
    },
  };

  assert.deepEqual(licencesOutside(planted), [
    { where: 'node_modules/both', what: 'has the licence (AGPL-3.0 AND MIT)' },
    { where: 'node_modules/bare', what: 'has no licence' },
  ]);
  assert.deepEqual(unfastened(planted), [{ where: 'node_modules/bare', what: 'has no integrity' }]);
  assert.deepEqual(strangeAddresses(JSON.stringify(planted, null, 2)), [
    { where: 'package-lock.json:22', what: 'https://registry.example/bare.tgz' },
  ]);
});

function readLock(): Lock {
  return JSON.parse(lockText) as Lock;
}
