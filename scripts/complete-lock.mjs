// Native packages come as one optional leaf per platform. A registry that lacks a leaf lets `npm install` drop its entry from the
// lock file, and then `npm ci` refuses the file on every machine ("Missing: ... from lock file"). This adds the entries back, so that
// one lock file installs everywhere. They carry no integrity hash, because nobody here could know it; npm checks the registry's own.
// Usage: node scripts/complete-lock.mjs [package-lock.json]
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const systems = new Set(['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']);
const processors = new Set(['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']);
const libraries = new Map([
  ['gnu', 'glibc'],
  ['gnueabihf', 'glibc'],
  ['musl', 'musl'],
  ['musleabihf', 'musl'],
]);
const otherNames = new Map([
  ['windows', 'win32'],
  ['aarch64', 'arm64'],
  ['armv7', 'arm'],
  ['armhf', 'arm'],
  ['x86_64', 'x64'],
]);
const exactVersion = /^=?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)$/;

/** The lock with an entry for every platform leaf, the places of those added, and the leaves it could not tell the platform or version of. */
export function completeLock(lock) {
  const packages = { ...lock.packages };
  const added = [];
  const unknown = [];
  for (const [where, parent] of Object.entries(lock.packages)) {
    for (const [name, wanted] of Object.entries(parent.optionalDependencies ?? {})) {
      if (where === '' || isLocked(packages, where, name)) continue;
      const leaf = leafEntry(packages, parent, name, wanted);
      const place = `node_modules/${name}`;
      if (leaf === undefined || packages[place] !== undefined) unknown.push(`${name}@${wanted} of ${where}`);
      else {
        packages[place] = leaf;
        added.push(place);
      }
    }
  }
  return { lock: { ...lock, packages: inNpmOrder(packages) }, added, unknown };
}

/** Whether Node would find `name` from the package at `where`: in its own node_modules or in one above it. */
function isLocked(packages, where, name) {
  for (let at = where; ; at = at.slice(0, Math.max(at.lastIndexOf('node_modules/') - 1, 0))) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

function leafEntry(packages, parent, name, wanted) {
  const version = exactVersion.exec(wanted)?.[1];
  const { os, cpu, libc, rest } = platformOf(name);
  if (version === undefined || (os.length === 0 && cpu.length === 0)) return undefined;
  const engines = enginesOfSibling(packages, parent, rest);
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(parent.dev && { dev: true }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(engines !== undefined && { engines }),
  };
}

function platformOf(name) {
  const words = name.split(/[/@-]+/).map((word) => otherNames.get(word) ?? word);
  const isPlatform = (word) => systems.has(word) || processors.has(word) || libraries.has(word) || word === 'msvc';
  return {
    os: words.filter((word) => systems.has(word)),
    cpu: words.filter((word) => processors.has(word)),
    libc: words.filter((word) => libraries.has(word)).map((word) => libraries.get(word)),
    rest: words.filter((word) => !isPlatform(word)).join('-'),
  };
}

/** A leaf for another platform but for the same Node says which Node that is; without it npm would install the leaf of every Node. */
function enginesOfSibling(packages, parent, rest) {
  const siblings = Object.keys(parent.optionalDependencies).filter((name) => platformOf(name).rest === rest);
  return siblings.map((name) => packages[`node_modules/${name}`]?.engines).find((engines) => engines !== undefined);
}

function inNpmOrder(packages) {
  return Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}

function main(file) {
  const { lock, added, unknown } = completeLock(JSON.parse(readFileSync(file, 'utf8')));
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stderr.write(`${added.length} entries added to ${file}\n`);
  for (const leaf of unknown) process.stderr.write(`left out, its platform or exact version is not known: ${leaf}\n`);
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main(process.argv[2] ?? 'package-lock.json');
