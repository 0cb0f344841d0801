import { availableParallelism } from 'node:os';
import { count, readConfig, type Environment } from '../proto/process/config.ts';
import { identityShape, listenAddress, targetList } from '../proto/rpc/rpc-config.ts';

/** What this role reads from the environment. */
export function readWorkersConfig(environment?: Environment) {
  return readConfig(workersShape, environment);
}

export type WorkersConfig = ReturnType<typeof readWorkersConfig>;

/** More than two threads gain nothing where the other roles share the cores; more hosts do. */
const threadsDefault = Math.min(2, availableParallelism());

const workersShape = {
  ...identityShape,
  SVC_RPC_LISTEN: listenAddress(),
  SVC_STORE_URL: targetList(),
  SVC_HASH_THREADS: count(threadsDefault, { min: 1, max: 64 }),
};
