// Makes a fresh clone ready: installs what the lock file names, compiles what has changed. Runs before start, dev, test and bench;
// with nothing to do it costs some tens of milliseconds. It stands on Node alone, and tells on standard error, so that the
// command after it owns standard output.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const installStamp = path.join(root, 'node_modules', '.bootstrap');
const buildStamp = path.join(root, 'dist', '.built');
// The second is of the scripts that run in browsers.
const projects = ['tsconfig.json', path.join('gateway', 'pages', 'browser', 'tsconfig.json')];
const sourceFolders = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8')).include;

requireNode();
takeLock(path.join(root, '.bootstrap.lock'));
installWhenNeeded();
compileWhenNeeded();

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || major === 22 || major === 23) return;
  stop(`This project runs on Node 20.19 or newer, 22 and 23 (its HTTP server is a compiled one); this is Node ${process.versions.node}.`);
}

/** One at a time for each checkout, so that two commands started together do not both replace node_modules. */
function takeLock(lock) {
  for (let waitedMs = 0; ; waitedMs += 100) {
    try {
      mkdirSync(lock);
      writeFileSync(path.join(lock, 'pid'), String(process.pid));
      process.on('exit', () => rmSync(lock, { recursive: true, force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
    }
    if (waitedMs === 1_000) say(`waiting for another command that prepares this checkout (${path.basename(lock)})`);
    if (isStale(lock)) breakLock(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

/** Its holder is gone; or it has no holder and is not just being made. */
function isStale(lock) {
  const pid = readOr(path.join(lock, 'pid'), '');
  if (pid === '') return Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 10_000;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** By a rename, which only one of several waiters can do; when it took a rival's fresh lock by that, it puts it back. */
function breakLock(lock) {
  const taken = `${lock}.${process.pid}`;
  try {
    renameSync(lock, taken);
    if (isStale(taken)) rmSync(taken, { recursive: true, force: true });
    else renameSync(taken, lock);
  } catch {
    // Another waiter was quicker.
  }
}

function installWhenNeeded() {
  const wanted = hashOf([readFileSync(path.join(root, 'package-lock.json')), `${process.platform} ${process.arch} ${process.versions.modules}`]);
  if (readOr(installStamp, '') === wanted) return;
  if (!existsSync(installStamp) && isInstalled()) return writeFileSync(installStamp, wanted);
  say('installing dependencies (npm ci)');
  const npm = npmProgram();
  // npm looks for `sh` on the path, which may not hold it.
  const shell = existsSync('/bin/sh') ? ['--script-shell=/bin/sh'] : [];
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', ...shell];
  run('npm ci', npm[0], [...npm.slice(1), ...options]);
  writeFileSync(installStamp, wanted);
}

/** Somebody ran npm by hand: every package of the lock file that is not optional stands there in its version. */
function isInstalled() {
  const installed = JSON.parse(readOr(path.join(root, 'node_modules', '.package-lock.json'), '{}')).packages ?? {};
  const wanted = Object.entries(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages);
  const missing = wanted.filter(([place, { version, optional }]) => place !== '' && optional !== true && installed[place]?.version !== version);
  return Object.keys(installed).length > 0 && missing.length === 0;
}

/** The npm that runs us, the one beside node, or the one on the path: the path may hold little more than node. */
function npmProgram() {
  const bin = path.dirname(process.execPath);
  const scripts = [
    process.env.npm_execpath ?? '',
    path.join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(bin, '..', 'share', 'nodejs', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = scripts.find((file) => path.basename(file) === 'npm-cli.js' && existsSync(file));
  return script === undefined ? ['npm'] : [process.execPath, script];
}

function compileWhenNeeded() {
  const sources = sourceFolders.flatMap((folder) => filesUnder(path.join(root, folder), (name) => name.endsWith('.ts')));
  const wanted = hashOf([readOr(installStamp, ''), ...[...projects.map((file) => path.join(root, file)), ...sources].map(fingerprint)]);
  if (readOr(buildStamp, '') === wanted) return;
  // Without the stamp the last build did not end well, or somebody tidied up: what tsc remembers of it cannot be trusted.
  if (!existsSync(buildStamp)) for (const memory of ['.tsbuildinfo', '.tsbuildinfo-pages']) rmSync(path.join(root, 'dist', memory), { force: true });
  rmSync(buildStamp, { force: true });
  removeOrphans(new Set(sources));
  say('compiling (tsc)');
  const compiler = path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
  for (const project of projects) run('tsc', process.execPath, [compiler, '-p', path.join(root, project)]);
  writeFileSync(buildStamp, wanted);
}

/** Compiled files whose source is gone would still be found by imports and by the test runner. */
function removeOrphans(sources) {
  for (const folder of sourceFolders) {
    const compiled = filesUnder(path.join(root, 'dist', folder), (name) => /\.js(\.map)?$/.test(name));
    for (const file of compiled) {
      const source = path.join(root, path.relative(path.join(root, 'dist'), file)).replace(/\.js(\.map)?$/, '.ts');
      if (!sources.has(source)) removeWithEmptyFolders(file);
    }
  }
}

function removeWithEmptyFolders(file) {
  rmSync(file);
  for (let folder = path.dirname(file); readdirSync(folder).length === 0; folder = path.dirname(folder)) rmdirSync(folder);
}

function filesUnder(folder, wanted) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .toSorted();
}

function fingerprint(file) {
  const { mtimeMs, size } = statSync(file);
  return `${path.relative(root, file)} ${mtimeMs} ${size}`;
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

function readOr(file, fallback) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return fallback;
  }
}

function run(what, command, options) {
  const { status, signal, error } = spawnSync(command, options, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  if (error !== undefined) stop(`${what} could not be started: ${error.message}`);
  if (signal !== null) process.exit(130);
  stop(`${what} failed; what it said stands above.`, status ?? 1);
}

function say(text) {
  process.stderr.write(`> ${text}\n`);
}

function stop(text, code = 1) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
