import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { identityOf, signalProcess } from '../../k8s/local/processes/process-identity.ts';
import { environmentOf } from '../support/process-environment.ts';
import { Installation } from '../support/supervisor.ts';
import { until } from '../support/until.ts';

describe('svc up after a crash', () => {
  it('ends what a killed supervisor left behind, and serves the same data again', async () => {
    await using installation = new Installation();
    const first = await installation.up().ready();
    await first.client.post('/api/svc', { name: 'kept', type: 'base', fields: [{ name: 'title', type: 'text' }] });
    const left = [...installation.children(), ...[installation.postgres()].filter((postgres) => postgres !== undefined)];
    const stopped = installation.children().at(0);
    assert.ok(stopped !== undefined);

    // One child cannot even notice that its supervisor is gone.
    signalProcess(stopped, 'SIGSTOP');
    first.signal('SIGKILL');
    await first.ended;
    const second = await installation.up({ SVC_PORT: String(first.port) }).ready();

    assert.equal(left.length, 4);
    assert.deepEqual(
      left.filter(({ pid, started }) => identityOf(pid)?.started === started),
      [],
    );
    assert.equal((await second.client.get('/api/svc/kept')).status, 200);
  });

  it('ends its children by itself when it is killed, and keeps its keys for the next start', async () => {
    await using installation = new Installation();
    const first = await installation.up().ready();
    const children = installation.children();
    const secrets = secretsOf(installation);

    first.signal('SIGKILL');
    await until('no child is left', () => children.every(({ pid, started }) => identityOf(pid)?.started !== started));
    const second = await installation.up().ready();

    assert.deepEqual(secretsOf(installation), secrets);
    assert.equal((await second.client.get('/api/svc')).status, 200);
  });

  it('works in a folder too deep for the address of a socket, with a key from the environment', async () => {
    await using installation = new Installation({ name: path.join('deep'.repeat(12), 'deeper'.repeat(10)) });
    const key = 'a-key-of-the-environment-42';

    const run = await installation.up({ SVC_ADMIN_KEY: key }).ready();
    const socket = environmentOf(installation.children()[0]?.pid ?? 0, 'SVC_METRICS_PORT') ?? '';
    const answer = await run.client.get('/api/svc', { headers: { 'X-Admin-Key': key } });
    await run.stop();

    assert.equal(answer.status, 200);
    assert.ok(socket.length < 100, socket);
    assert.equal(existsSync(path.dirname(socket.slice('unix:'.length))), false);
    assert.equal(existsSync(path.join(installation.dataFolder, 'secrets', 'admin-key')), false);
    assert.match(run.output, /Admin key\s+from SVC_ADMIN_KEY/);
  });

  it('gives up with status 78 when a role refuses its configuration, and leaves nothing running', async () => {
    await using installation = new Installation();

    const run = installation.up({ SVC_MAX_BODY_BYTES: '1' });
    const exit = await run.ended;

    assert.deepEqual(exit, { code: 78, signal: null });
    assert.match(run.output, /SVC_MAX_BODY_BYTES should be/);
    assert.deepEqual([installation.children(), installation.postgres()], [[], undefined]);
  });
});

function secretsOf({ dataFolder }: Installation): string[] {
  return ['admin-key', 'encryption-key', 'cluster-key'].map((name) => readFileSync(path.join(dataFolder, 'secrets', name), 'utf8'));
}
