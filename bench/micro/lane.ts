import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Operation } from '../../proto/gen/svc/v1/lane.ts';
import { RecordsService } from '../../proto/gen/svc/v1/records.ts';
import { createLog } from '../../proto/process/log.ts';
import { LanePool } from '../../proto/rpc/lane-pool.ts';
import { LaneServer } from '../../proto/rpc/lane-server.ts';
import { RpcServer } from '../../proto/rpc/server.ts';
import type { CallFields } from '../../proto/rpc/outgoing-call.ts';

// The hop alone: two processes over a unix socket, 64 calls of about 100 bytes outstanding, answers of 300 bytes.
// Prints calls per second and the CPU time of a call on either side. `node dist/bench/micro/lane.js [seconds] [outstanding]`.

const identity = { clusterKey: 'a key for a measurement alone' };
const log = createLog('bench', 'error');

const call: CallFields = {
  operation: Operation.VIEW_RECORD,
  collection: 'articles',
  record: '0192f0c8-7a6b-7c3d-8e4f-0123456789ab',
  requestId: '0123456789abcdef0123456789abcdef',
};

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '');
else await measure(Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 64));

async function serve(address: string): Promise<void> {
  const reply = { status: 200, body: JSON.stringify({ id: 'x'.repeat(36), title: 'y'.repeat(240) }), etag: '"12.3456"' };
  const lane = new LaneServer({ handle: () => Promise.resolve(reply), classOf: () => 'read', log });
  const server = new RpcServer({ listen: address, identity, log });
  server.add(RecordsService, { pipe: lane });
  await server.listen();
  process.on('message', (word) => {
    if (word === 'cpu') process.send?.(process.cpuUsage());
    else process.disconnect();
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('listening');
}

async function measure(seconds: number, outstanding: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lane-'));
  const address = `unix:${folder}/l.sock`;
  const server = fork(fileURLToPath(import.meta.url), ['serve', address], { execArgv: process.execArgv });
  await answerOf(server);
  const pool = new LanePool({ targets: address, identity, path: RecordsService.pipe.path, log });
  await pool.whenReady();
  await load(pool, { seconds: 1, outstanding });
  for (let round = 0; round < 3; round += 1) await report(pool, server, { seconds, outstanding });
  await pool.close();
  server.kill();
  rmSync(folder, { recursive: true });
}

async function report(pool: LanePool, server: ChildProcess, input: LoadInput): Promise<void> {
  const [serverBefore, before, batchesBefore, startMs] = [await cpuOf(server), process.cpuUsage(), batches(pool), performance.now()];
  const calls = await load(pool, input);
  const tookS = (performance.now() - startMs) / 1000;
  const client = process.cpuUsage(before);
  const after = await cpuOf(server);
  const clientUs = (client.user + client.system) / calls;
  const serverUs = (after.user + after.system - serverBefore.user - serverBefore.system) / calls;
  const perBatch = calls / (batches(pool) - batchesBefore);
  process.stdout.write(
    `${Math.round(calls / tookS)} calls/s, client ${clientUs.toFixed(2)} µs, server ${serverUs.toFixed(2)} µs, both ${(clientUs + serverUs).toFixed(2)} µs of CPU a call, ${perBatch.toFixed(1)} calls a batch\n`,
  );
}

interface LoadInput {
  readonly seconds: number;
  readonly outstanding: number;
}

async function load(pool: LanePool, { seconds, outstanding }: LoadInput): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await pool.call(call).answer;
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: outstanding }, worker));
  return calls;
}

function batches(pool: LanePool): number {
  return pool.stats().reduce((sum, lane) => sum + lane.batchesOut, 0);
}

async function cpuOf(server: ChildProcess): Promise<NodeJS.CpuUsage> {
  server.send('cpu');
  return (await answerOf(server)) as NodeJS.CpuUsage;
}

function answerOf(server: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => server.once('message', resolve));
}
