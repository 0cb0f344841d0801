import type { Finding } from '../tree/finding.ts';

/** The parts of package-lock.json (version 3) that the laws read. */
export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const allowedLicences: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
]);

/** Packages under another licence, and why each is no trouble. */
const licenceExceptions: Readonly<Record<string, string>> = {
  'node_modules/argparse': 'PSF-2.0, as permissive as Python-2.0; of the command line of a development tool',
  'node_modules/caniuse-lite': 'CC-BY-4.0, data of a development tool',
};

/** Packages whose licence is not on the list. A leaf for another platform has its parent's, which is on it. */
export function licencesOutside(lock: Lock): Finding[] {
  return packagesOf(lock)
    .filter(([place, entry]) => !isForeignLeaf(entry) && !isAllowed(entry.license) && !(place in licenceExceptions))
    .map(([where, { license }]) => ({ where, what: license === undefined ? 'has no licence' : `has the licence ${license}` }));
}

/** Packages that npm could not check against what was locked. */
export function unfastened(lock: Lock): Finding[] {
  return packagesOf(lock)
    .filter(([, entry]) => entry.integrity === undefined && !isForeignLeaf(entry))
    .map(([where]) => ({ where, what: 'has no integrity' }));
}

/** Lines of the lock file that say where something was fetched. */
export function strangeAddresses(text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const address = /"resolved":\s*"([^"]*)"/.exec(line)?.[1] ?? /"((?:git\+)?(?:https?|ssh|file):[^"]*\.tgz[^"]*)"/.exec(line)?.[1];
    return address === undefined ? [] : [{ where: `package-lock.json:${index + 1}`, what: address }];
  });
}

function packagesOf(lock: Lock): [string, LockedPackage][] {
  return Object.entries(lock.packages).filter(([place]) => place !== '');
}

/** A leaf that the registry in use did not know, so that scripts/complete-lock.mjs wrote its entry. */
function isForeignLeaf(entry: LockedPackage): boolean {
  return entry.optional === true && entry.integrity === undefined && (entry.os !== undefined || entry.cpu !== undefined);
}

/** One licence, or an expression of them: of an OR one must be allowed, of an AND all. */
function isAllowed(licence: string | undefined): boolean {
  if (licence === undefined) return false;
  const bare = licence.replaceAll(/[()]/g, '');
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((one) => allowedLicences.has(one.trim())));
}
