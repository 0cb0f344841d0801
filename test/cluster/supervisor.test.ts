import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { identityOf, signalProcess, type ProcessIdentity } from '../../k8s/local/processes/process-identity.ts';
import { environmentOf } from '../support/process-environment.ts';
import { Installation, type SupervisorRun } from '../support/supervisor.ts';
import { until } from '../support/until.ts';

describe('svc up', () => {
  const installation = new Installation();
  let run: SupervisorRun;

  before(async () => {
    run = await installation.up({ SVC_GATEWAYS: '2' }).ready();
  });
  after(() => installation.close());

  it('serves the API, tells where, and keeps the admin key to a file', async () => {
    const answer = await run.client.get('/api/svc');

    assert.equal(answer.status, 200);
    assert.match(run.output, new RegExp(`API\\s+http://127\\.0\\.0\\.1:${run.port}`));
    assert.match(run.output, /Admin key\s+in \S+\/secrets\/admin-key/);
    assert.ok(!run.output.includes(installation.adminKey));
  });

  it('closes everything it keeps to other users', () => {
    const modes = readdirSync(path.join(installation.dataFolder, 'secrets')).map(
      (name) => statSync(path.join(installation.dataFolder, 'secrets', name)).mode & 0o777,
    );

    assert.deepEqual([...new Set(modes)], [0o600]);
    assert.equal(statSync(installation.dataFolder).mode & 0o067, 0);
    assert.equal(statSync(path.join(installation.dataFolder, 'secrets')).mode & 0o777, 0o700);
    assert.equal(statSync(path.join(installation.dataFolder, 'run', 'rpc')).mode & 0o777, 0o700);
  });

  it('gives the database and the admin key to stores alone', () => {
    const secret = installation.adminKey;
    const environments = installation.children().map(({ pid }) => {
      return { role: environmentOf(pid, 'SVC_ROLE'), database: environmentOf(pid, 'DATABASE_URL'), key: environmentOf(pid, 'SVC_ADMIN_KEY') };
    });

    assert.equal(environments.length, 4);
    for (const { role, database, key } of environments) {
      assert.equal(database !== undefined, role === 'store', role);
      assert.equal(key, role === 'store' ? secret : undefined, role);
    }
  });

  it('answers for all its processes on the metrics port', async () => {
    const ready = await run.admin.get('/readyz');
    const { text } = await run.admin.get('/metrics');

    assert.deepEqual([ready.status, (await run.admin.get('/livez')).status], [200, 200]);
    for (const member of ['role="gateway",index="0"', 'role="gateway",index="1"', 'role="store",index="0"', 'role="worker",index="0"']) {
      assert.match(text, new RegExp(`^process_resident_memory_bytes\\{${member}\\} \\d`, 'm'));
    }
    assert.match(text, /^svc_supervised_ready\{role="gateway"\} 2$/m);
  });

  it('refuses a second supervisor on the same folder, and says who has it', async () => {
    const second = installation.up();

    assert.deepEqual(await second.ended, { code: 78, signal: null });
    assert.match(second.output, new RegExp(`SVC_DATA_DIR: \\S+ is in use by another svc \\(process ${run.pid}\\)`));
    assert.equal((await run.client.get('/api/svc')).status, 200);
  });

  it('refuses a port that its own gateways hold, or a stranger, by name', async () => {
    await using other = new Installation();
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;

    const overOurs = other.up({ SVC_PORT: String(run.port) });
    const exitOverOurs = await overOurs.ended;
    const overStranger = other.up({ SVC_METRICS_PORT: String(port) });
    const exitOverStranger = await overStranger.ended;
    stranger.close();

    assert.deepEqual([exitOverOurs.code, exitOverStranger.code], [78, 78]);
    assert.match(overOurs.output, new RegExp(`SVC_PORT: cannot listen on 127\\.0\\.0\\.1:${run.port}: it is already in use`));
    assert.match(overStranger.output, new RegExp(`SVC_METRICS_PORT: cannot listen on 127\\.0\\.0\\.1:${port}: it is already in use`));
    assert.deepEqual(other.children(), []);
  });

  it('starts a killed child again, with one line about it', async () => {
    const members = installation.children();
    const store = childOf('store');

    signalProcess(store, 'SIGKILL');
    await run.says(/store 0 is back/);

    assert.match(run.output, new RegExp(`store 0 \\(process ${store.pid}\\) ended by SIGKILL; starting it again in \\d+ ms`));
    await until('the API answers again', async () => (await run.client.get('/api/svc')).status === 200);
    assert.equal(installation.children().length, members.length);
  });

  it('starts a killed Postgres again', async () => {
    const postgres = installation.postgres();
    assert.ok(postgres !== undefined);

    signalProcess(postgres, 'SIGKILL');
    await run.says(/Postgres ended \(SIGKILL\)/);

    await until('the API answers again', async () => (await run.client.get('/api/svc')).status === 200);
    assert.notEqual(installation.postgres()?.pid, postgres.pid);
  });

  it('stops everything in order on one Ctrl-C, and leaves nothing running', async () => {
    const children = installation.children();
    const postgres = installation.postgres();

    run.signal('SIGINT');
    const exit = await run.ended;

    assert.deepEqual(exit, { code: 0, signal: null });
    assert.deepEqual(
      [...children, ...(postgres === undefined ? [] : [postgres])].filter(({ pid }) => identityOf(pid) !== undefined),
      [],
    );
    assert.match(run.output, /stopped\s*$/);
    assert.deepEqual(
      readdirSync(installation.dataFolder).filter((name) => !['logs', 'postgres', 'secrets'].includes(name)),
      [],
    );
  });

  function childOf(role: string): ProcessIdentity {
    const child = installation.children().find(({ pid }) => environmentOf(pid, 'SVC_ROLE') === role);
    assert.ok(child !== undefined, `there is no ${role}`);
    return child;
  }
});
