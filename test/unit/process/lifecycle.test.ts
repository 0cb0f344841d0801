import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(path.join(tmpdir(), 'svc-life-'));
const program = fileURLToPath(new URL('./sample-role.js', import.meta.url));

describe('the life of a role', () => {
  after(() => rmSync(folder, { recursive: true }));

  it('ends with status 78 and nothing but the message when the configuration is wrong', async () => {
    const role = launch('misconfigured');

    assert.deepEqual(await role.exit, [78, null]);
    assert.equal(role.errors(), 'The configuration is not usable:\n  SAMPLE_NAME is missing; it should be a name\n');
    assert.equal(role.output(), '');
  });

  it('ends with status 1 and a log line when the start fails', async () => {
    const role = launch('failing');

    assert.deepEqual(await role.exit, [1, null]);
    assert.match(role.output(), /"level":"fatal".*it did not start/);
  });

  it('ends with status 1 and a log line on an error that nothing caught', async () => {
    const role = launch('crashing');

    assert.deepEqual(await role.exit, [1, null]);
    assert.match(role.output(), /"level":"fatal".*nobody caught this/);
  });

  it('shuts the door, then closes in the reverse order, then ends with status 0 on SIGTERM', async () => {
    const role = launch('');
    await role.saw(/"ready"/);

    role.process.kill('SIGTERM');

    assert.deepEqual(await role.exit, [0, null]);
    const steps = [...role.output().matchAll(/"msg":"((?:door|closed)[^"]*)"/g)].map((match) => match[1]);
    assert.deepEqual(steps, ['door shut', 'closed second', 'closed first']);
  });

  it('never writes a credential into a log line', async () => {
    const role = launch('');
    await role.saw(/"ready"/);

    role.process.kill('SIGTERM');
    await role.exit;

    assert.match(role.output(), /"password":"\[redacted\]"/);
    assert.doesNotMatch(role.output(), /hunter2/);
  });

  it('ends at once on a second signal, but not on the echo of the first', async () => {
    const role = launch('stuck');
    await role.saw(/"ready"/);

    const start = performance.now();
    const again = setInterval(() => role.process.kill('SIGTERM'), 5);
    const exit = await role.exit;
    clearInterval(again);

    assert.deepEqual(exit, [143, null]);
    assert.match(role.output(), /door shut/);
    assert.ok(performance.now() - start >= 400);
  });

  it('ends with status 1 when the drain takes longer than it may', async () => {
    const role = launch('stuck', { SVC_DRAIN_TIMEOUT: '200ms' });
    await role.saw(/"ready"/);

    role.process.kill('SIGINT');

    assert.deepEqual(await role.exit, [1, null]);
    assert.match(role.output(), /"waitingFor":"first".*took too long|took too long/);
  });

  it('says over HTTP that it lives, and whether and why not it is ready, on a socket that is its own', async () => {
    const socket = path.join(folder, 'admin');
    const role = launch('unsound', { SVC_METRICS_PORT: `unix:${socket}` });
    await role.listens(socket);

    assert.equal(statSync(socket).mode & 0o777, 0o600);
    assert.deepEqual(await ask(socket, '/livez'), [200, '{"live":true}\n']);
    assert.deepEqual(await ask(socket, '/readyz'), [503, '{"ready":false,"reasons":["sound"]}\n']);
    role.process.kill('SIGUSR2');
    await role.saw(/"ready"/);
    assert.deepEqual(await ask(socket, '/readyz'), [200, '{"ready":true,"reasons":[]}\n']);
    assert.match((await ask(socket, '/metrics'))[1], /svc_sample_calls_total\{kind="a",role="sample"\} 1/);
    assert.equal((await ask(socket, '/nothing'))[0], 404);
    assert.equal((await ask(socket, '/metrics', 'POST'))[0], 405);
    role.process.kill('SIGTERM');
    assert.deepEqual(await role.exit, [0, null]);
  });

  it('tells its supervisor that it is ready, and what the supervisor asks', async () => {
    const role = launch('', {}, 'supervised');

    assert.deepEqual(await role.heard(), { kind: 'ready', port: 4_711, adminPort: 0 });
    role.process.send({ kind: 'metrics', id: 7 });
    const answer = (await role.heard()) as { readonly id: number; readonly metrics: readonly { readonly name: string }[] };
    role.process.send({ kind: 'drain' });

    assert.equal(answer.id, 7);
    assert.ok(answer.metrics.some(({ name }) => name === 'svc_sample_calls_total'));
    assert.deepEqual(await role.exit, [0, null]);
  });

  it('tells its supervisor when it stops being ready', async () => {
    const role = launch('', {}, 'supervised');
    await role.heard();

    role.process.kill('SIGUSR2');

    assert.deepEqual(await role.heard(), { kind: 'readiness', ready: false, reasons: ['sound'] });
    role.process.send({ kind: 'drain' });
    await role.exit;
  });

  it('leaves Ctrl-C to its supervisor', async () => {
    const role = launch('', {}, 'supervised');
    await role.heard();

    role.process.kill('SIGINT');
    role.process.send({ kind: 'metrics', id: 1 });

    assert.equal(((await role.heard()) as { readonly kind: string }).kind, 'metrics');
    role.process.send({ kind: 'drain' });
    await role.exit;
  });

  it('drains when its supervisor is gone', async () => {
    const role = launch('', {}, 'supervised');
    await role.heard();

    role.process.disconnect();

    assert.deepEqual(await role.exit, [0, null]);
    assert.match(role.output(), /closed first/);
  });

  it('ends with status 0 when its task is done', async () => {
    const role = launch('task');

    assert.deepEqual(await role.exit, [0, null]);
    assert.match(role.output(), /"msg":"done"/);
  });
});

interface Launched {
  readonly process: ChildProcess;
  readonly exit: Promise<unknown[]>;
  output(): string;
  errors(): string;
  /** Resolves when the output holds the pattern. */
  saw(pattern: RegExp): Promise<void>;
  listens(socket: string): Promise<void>;
  /** The next message over the channel. */
  heard(): Promise<unknown>;
}

function launch(words: string, environment: Readonly<Record<string, string>> = {}, kind: 'alone' | 'supervised' = 'alone'): Launched {
  const name = `${words || 'plain'}-${Object.keys(environment).length}-${kind}-${process.hrtime.bigint()}`;
  const env = { SAMPLE: words, SVC_ENV_FILE: 'none', SVC_METRICS_PORT: `unix:${path.join(folder, name.slice(-12))}`, ...environment };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe', ...(kind === 'supervised' ? ['ipc' as const] : [])] });
  const texts = { out: '', err: '' };
  const messages: unknown[] = [];
  child.stdout?.on('data', (text: Buffer) => (texts.out += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (texts.err += text.toString()));
  child.on('message', (message) => messages.push(message));
  return {
    process: child,
    exit: ended(child),
    output: () => texts.out,
    errors: () => texts.err,
    saw: (pattern) => until(() => pattern.test(texts.out)),
    listens: (socket) => until(() => statSync(socket, { throwIfNoEntry: false }) !== undefined && (statSync(socket).mode & 0o777) === 0o600),
    heard: async () => {
      await until(() => messages.length > 0);
      return messages.shift();
    },
  };
}

/** Exit and the end of the output; not `close`, which never comes after a `disconnect` from this side. */
async function ended(child: ChildProcess): Promise<unknown[]> {
  const streams = [child.stdout, child.stderr].flatMap((stream) => (stream === null ? [] : [once(stream, 'end')]));
  const [exit] = await Promise.all([once(child, 'exit') as Promise<unknown[]>, ...streams]);
  return exit;
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('It did not come to pass within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function ask(socketPath: string, url: string, method = 'GET'): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: url, method, agent: false }, (response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString()));
      response.on('end', () => resolve([response.statusCode ?? 0, body]));
    });
    asked.on('error', reject);
    asked.end();
  });
}
