import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { until } from '../support/until.ts';
import { RawConnection } from './raw-connection.ts';

let cluster: Cluster;

before(async () => {
  cluster = await startCluster();
});

after(() => cluster.close());

test('without a store every record request is a 503 that says when to come back, and the node says that it is not ready', async () => {
  await cluster.kill('store');
  await until('the gateway has noticed', async () => (await cluster.guest().get('/readyz')).status === 503);

  const [view, list, schema, live] = await Promise.all([
    cluster.guest().get('/api/svc/a/records/b'),
    cluster.client().get('/api/svc/a/records'),
    cluster.client().get('/api/svc'),
    cluster.guest().get('/livez'),
  ]);

  for (const answer of [view, list, schema]) {
    assert.deepEqual(answer.json(), { code: 503, message: 'A part of the service is away for a moment; try again shortly.', data: {} });
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  assert.equal(live.status, 200);
  await cluster.restart('store');
  await until('the schema is there again', async () => (await cluster.client().get('/api/svc')).status === 200);
});

test('a node that is told to stop answers what it has, closes its connections and is gone', async () => {
  using kept = await RawConnection.open(cluster.baseUrl);
  using slow = await RawConnection.open(cluster.baseUrl);
  const body = '{"name":"late"}';
  await slow.send(
    `POST /api/svc HTTP/1.1\r\nHost: x\r\nX-Admin-Key: ${cluster.adminKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await until('the upload is in flight', async () => (await inFlight()) === 1);

  const ended = cluster.kill('gateway', 0, 'SIGTERM');
  await until('new connections are refused', () => isRefused(cluster.baseUrl));
  await kept.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  const keptAnswer = await kept.answer();
  await slow.send(body.slice(5));
  const slowAnswer = await slow.answer();

  assert.deepEqual([keptAnswer?.status, keptAnswer?.headers.get('connection')], [200, 'close']);
  assert.deepEqual([slowAnswer?.status, slowAnswer?.headers.get('connection')], [201, 'close']);
  assert.deepEqual(await ended, { code: 0, signal: null });
});

async function inFlight(): Promise<number | undefined> {
  const metrics = await cluster.metrics('gateway');
  return metrics?.find((metric) => metric.name === 'svc_http_requests_in_flight')?.values[0]?.value;
}

async function isRefused(baseUrl: string): Promise<boolean> {
  try {
    using _connection = await RawConnection.open(baseUrl);
    return false;
  } catch {
    return true;
  }
}
