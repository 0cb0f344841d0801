import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BenchFailure } from '../../bench/failure.ts';
import { parseConnection } from '../../bench/load/connection.ts';
import { wrk } from '../../bench/load/wrk.ts';
import { median, trend } from '../../bench/measure/statistics.ts';
import { replaceSection } from '../../bench/report/readme.ts';
import { findings } from '../../bench/soak/verdict.ts';

const TOLERANCE = { memoryShare: 0.05, memoryBytes: 1000, things: 2 };

describe('wrk as load generator', () => {
  let folder = '';
  let targets = '';
  let server: Server | undefined;
  let baseUrl = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-bench-test-'));
    targets = join(folder, 'targets');
    await writeFile(targets, '/good\n/good\n/sometimes\n');
    let asked = 0;
    server = createServer((request, response) => {
      asked += 1;
      response.statusCode = request.url === '/sometimes' && asked > 100 ? 503 : 200;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    baseUrl = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`;
  });

  after(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    await rm(folder, { recursive: true });
  });

  test('a run in which one kind of request is refused is not reported', async () => {
    const load = wrk({ baseUrl, method: 'GET', targets, connections: 4, seconds: 1 });

    await rejects(load, (error) => error instanceof BenchFailure && error.message.includes('refused by status'));
  });

  test('a run without errors reports its rate, its latencies and its own CPU', async () => {
    await writeFile(join(folder, 'good'), '/good\n');

    const result = await wrk({ baseUrl, method: 'GET', targets: join(folder, 'good'), connections: 4, seconds: 1 });

    deepStrictEqual(
      [result.operations > 0, result.rate > 0, (result.p50Ms ?? 0) > 0, (result.p99Ms ?? 0) >= (result.p50Ms ?? 0), result.driverCpuUs > 0],
      [true, true, true, true, true],
    );
  });
});

describe('statistics', () => {
  test('the median of an even number of values lies between the two in the middle', () => {
    strictEqual(median([4, 1, 3, 2]), 2.5);
  });

  test('a straight line has its slope and no doubt', () => {
    const line = trend([
      [0, 1],
      [1, 3],
      [2, 5],
      [3, 7],
    ]);

    deepStrictEqual(line, { slope: 2, certainty: Number.POSITIVE_INFINITY });
  });
});

describe('the verdict of a soak', () => {
  const series = (heapAt: (second: number) => number) =>
    Array.from({ length: 60 }, (_, n) => ({ atS: n * 5, sample: new Map([['store heap', heapAt(n * 5)]]) }));
  const noise = (second: number): number => ((second * 7919) % 101) * 10;

  test('a heap that climbs through the noise is found', () => {
    const [found] = findings(
      series((second) => 50_000 + second * 40 + noise(second)),
      TOLERANCE,
    );

    strictEqual(found?.verdict, 'rises');
  });

  test('a heap that climbs only while it warms up is steady', () => {
    const [found] = findings(
      series((second) => 50_000 + Math.min(second, 100) * 400 + noise(second)),
      TOLERANCE,
    );

    strictEqual(found?.verdict, 'steady');
  });

  test('handles that are added and never given back are found', () => {
    const leaking = Array.from({ length: 60 }, (_, n) => ({ atS: n * 5, sample: new Map([['gateway handles', 20 + Math.floor(n / 6)]]) }));

    const [found] = findings(leaking, TOLERANCE);

    strictEqual(found?.verdict, 'rises');
  });
});

describe('reading and writing', () => {
  test('a socket folder is read from a Postgres URL in both spellings', () => {
    const spelled = [
      parseConnection('postgres://app:p%40ss@/svc?host=/run/sockets'),
      parseConnection('postgresql://app:p%40ss@%2Frun%2Fsockets/svc'),
    ];

    const expected = { host: '/run/sockets', port: '5432', user: 'app', password: 'p@ss', database: 'svc' };
    deepStrictEqual(spelled, [expected, expected]);
  });

  test('a section of the README is replaced and the rest stays', () => {
    const replaced = replaceSection('a\n<!-- table -->\nold\n<!-- /table -->\nb\n', 'table', 'new');

    strictEqual(replaced, 'a\n<!-- table -->\n\nnew\n\n<!-- /table -->\nb\n');
  });
});
