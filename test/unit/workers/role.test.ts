import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { HashingService } from '../../../proto/gen/svc/v1/hashing.ts';
import { RpcClient } from '../../../proto/rpc/client.ts';

const main = fileURLToPath(new URL('../../../workers/main.js', import.meta.url));
const clusterKey = 'the key of a cluster under test';
const info = { requestId: 'request-1', timeoutMs: 20_000 };

test('the role hashes and verifies for members of the cluster, and ends in good order when it is told to', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-workers-'));
  const address = `unix:${folder}/workers.sock`;
  const role = start({ SVC_RPC_LISTEN: address, SVC_CLUSTER_KEY: clusterKey, SVC_HASH_THREADS: '1' });
  await lineOf(role, '"ready"');
  await using member = new RpcClient({ targets: address, identity: { clusterKey } });

  const { hash } = await member.unary(HashingService.hashPassword, { password: 'p', cost: 0 }, info);
  const { matches } = await member.unary(HashingService.verifyPassword, { password: 'p', hash }, info);
  role.kill('SIGTERM');

  assert.match(hash, /^\$2b\$10\$/);
  assert.equal(matches, true);
  assert.equal(await exitCodeOf(role), 0);
  rmSync(folder, { recursive: true, force: true });
});

test('a start without its address ends with one clear message that names the variable', async () => {
  const role = start({ SVC_CLUSTER_KEY: clusterKey });

  const [message, code] = await Promise.all([textOf(role.stderr), exitCodeOf(role)]);

  assert.equal(code, 78);
  assert.match(message, /SVC_RPC_LISTEN is missing; it should be an address to listen on: unix:\/path or host:port/);
});

test('a start on TCP without a cluster key is refused', async () => {
  const role = start({ SVC_RPC_LISTEN: '127.0.0.1:0' });

  const [message, code] = await Promise.all([textOf(role.stderr), exitCodeOf(role)]);

  assert.equal(code, 78);
  assert.match(message, /SVC_CLUSTER_KEY/);
});

function start(environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [main], {
    env: { SVC_ENV_FILE: 'none', SVC_STORE_URL: 'unix:/nowhere/store.sock', SVC_METRICS_PORT: '0', SVC_LOG_LEVEL: 'info', ...environment },
    stdio: 'pipe',
  });
}

async function exitCodeOf(role: ChildProcess): Promise<unknown> {
  const [code] = (await once(role, 'exit')) as unknown[];
  return code;
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}

/** Resolves once the log has a line with `part`. */
async function lineOf(role: ChildProcess, part: string): Promise<void> {
  let text = '';
  role.stdout?.setEncoding('utf8');
  while (!text.includes(part) && role.exitCode === null && role.stdout !== null) text += String(await once(role.stdout, 'data'));
}
