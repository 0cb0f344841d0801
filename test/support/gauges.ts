import type { Cluster } from './cluster.ts';
import type { RoleName } from '../../k8s/local/roles/role-environment.ts';

/** The value of a process' metric now, its label sets added up. */
export async function gauge(cluster: Cluster, role: RoleName, name: string, index = 0): Promise<number> {
  const metrics = await cluster.metrics(role, index);
  const found = metrics?.find((metric) => metric.name === name);
  if (found === undefined) throw new TypeError(`${role} ${index} tells no ${name}`);
  return found.values.reduce((sum, { value }) => sum + value, 0);
}
