import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { gauge } from '../support/gauges.ts';
import { loadFor, statuses } from '../support/load.ts';
import { until } from '../support/until.ts';

const each = 40;
const items = '/api/svc/items/records';

describe('clients that are slow or go away', () => {
  let cluster: Cluster;
  let idleDescriptors = 0;

  before(async () => {
    cluster = await startCluster({ environment: { SVC_LOG_LEVEL: 'warn' } });
    const fields = [{ name: 'title', type: 'text' }];
    await cluster.client().post('/api/svc', { name: 'items', type: 'base', fields, rules: { listRule: '', viewRule: '', createRule: '' } });
    await cluster.client().post(items, { id: 'one', title: 'first' });
    idleDescriptors = descriptors();
  });

  after(() => cluster.close());

  const descriptors = (): number => readdirSync(`/proc/${cluster.pid('gateway')}/fd`).length;

  it('two hundred of them keep nobody from being served, and cost nothing after their time limit', async () => {
    await using crowd = new Crowd(Number(new URL(cluster.baseUrl).port));
    await Promise.all(misbehaviours.flatMap((misbehave) => Array.from({ length: each }, () => crowd.join(misbehave))));

    const hits = await loadFor(2_000, { baseUrl: cluster.baseUrl, clients: 8, next: () => ({ method: 'GET', path: `${items}/one` }) });
    const slowest = Math.max(...hits.map(({ ms }) => ms));
    await until('the gateway has let all of them go', () => descriptors() <= idleDescriptors + spareDescriptors, 20_000);
    const left = [await gauge(cluster, 'gateway', 'svc_http_requests_in_flight'), await gauge(cluster, 'gateway', 'svc_http_body_bytes')];
    const written = await cluster.guest().post(items, { title: 'after' });

    assert.deepEqual(Object.keys(statuses(hits)), ['200']);
    assert.ok(slowest < 2_000, `somebody waited ${slowest} ms`);
    assert.deepEqual(left, [0, 0]);
    assert.equal(written.status, 201);
    assert.deepEqual(
      cluster.allLogs.filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    );
  });
});

/** Keep-alive connections of this test's own clients, and what the process opens for itself. */
const spareDescriptors = 6;

type Misbehaviour = (socket: Socket) => void;

const body = JSON.stringify({ title: 'x'.repeat(2_000) });
const head = `POST ${items} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

const misbehaviours: readonly Misbehaviour[] = [
  // A head that never ends, byte by byte.
  (socket) => {
    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), 250);
    socket.once('close', () => clearInterval(timer));
  },
  // A body that is never finished.
  (socket) => void socket.write(head + body.slice(0, 100)),
  // A write whose client has gone before the answer.
  (socket) => void socket.write(head + body, () => socket.destroy()),
  // The same, half-way through its body, and without a farewell.
  (socket) => void socket.write(head + body.slice(0, 100), () => socket.resetAndDestroy()),
  // A client that asks and never reads.
  (socket) => void socket.pause().write(`GET ${items} HTTP/1.1\r\nHost: a\r\n\r\n`),
];

/** Connections that misbehave until the end. */
class Crowd implements AsyncDisposable {
  readonly #port: number;
  readonly #sockets: Socket[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async join(misbehave: Misbehaviour): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => undefined);
    this.#sockets.push(socket);
    await once(socket, 'connect');
    misbehave(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
  }
}
