import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import type { ClusterProcess } from '../../bench/cluster/processes.ts';
import { INSPECTABLE } from '../../bench/profile/inspector.ts';
import { soakCluster } from '../../bench/soak/soak-cluster.ts';
import type { SoakTarget } from '../../bench/soak/target.ts';
import { startCluster, type Cluster } from '../support/cluster.ts';

/** Code still warms up in so short a time: what each request leaks is seen, what an hour leaks is for `npm run soak`. */
const tolerance = { memoryShare: 0.25, memoryBytes: 6 << 20, things: 8 };
const load = { records: 500, connections: 32 };

describe('a short soak', () => {
  it('refuses nothing, and leaves memory, handles, descriptors and Postgres connections level', async () => {
    await using cluster = await startCluster({ environment: { ...INSPECTABLE, SVC_LOG_LEVEL: 'warn' } });

    const result = await soakCluster({ target: targetOf(cluster), load, durationMs: 12_000, intervalMs: 750, tolerance });

    const connections = await connectionsOf(cluster);

    assert.deepEqual(
      connections.filter(({ state }) => state.startsWith('idle in transaction')),
      [],
    );
    assert.ok(connections.length <= connectionsMax, `${connections.length} connections to Postgres`);
    assert.deepEqual(
      result.findings.filter(({ verdict }) => verdict === 'rises'),
      [],
    );
    assert.ok(result.findings.length > 10 && result.requests > 1_000, 'it was watched, and under load');
  });
});

/** Two each for reads, writes and others; at most eight for transactions, eight for patient ones and four for slow lists. */
const connectionsMax = 26;

async function connectionsOf(cluster: Cluster): Promise<readonly { readonly state: string }[]> {
  const client = new pg.Client({ connectionString: cluster.database.superuserUrl });
  await client.connect();
  const found = await client.query<{ state: string }>(`select state from pg_stat_activity where datname = $1 and application_name = 'svc store'`, [
    cluster.database.name,
  ]);
  await client.end();
  return found.rows;
}

function targetOf(cluster: Cluster): SoakTarget {
  const { hostname, port } = new URL(cluster.baseUrl);
  const processes = (['gateway', 'store', 'worker'] as const).map((role): ClusterProcess => ({ role, pid: cluster.pid(role) }));
  return { host: hostname, port: Number(port), baseUrl: cluster.baseUrl, adminKey: cluster.adminKey, processes: () => processes };
}
