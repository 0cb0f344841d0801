import { runRole, type Lifecycle } from '../proto/process/lifecycle.ts';
import { readIdentity } from '../proto/rpc/identity.ts';
import { RpcServer } from '../proto/rpc/server.ts';
import { readWorkersConfig } from './config.ts';
import { makeDeps, type WorkersDeps } from './deps.ts';
import { addOAuth } from './services/oauth.ts';
import { addHashing } from './services/hashing.ts';

runRole('worker', start);

/** Threads first, then the door: what is asked of us can be done from the first call on. */
async function start(lifecycle: Lifecycle): Promise<void> {
  const config = readWorkersConfig();
  const deps = await makeDeps(config, lifecycle);
  const server = new RpcServer({ listen: config.SVC_RPC_LISTEN, identity: readIdentity(config), log: lifecycle.log, unaryMax: unaryMax(deps) });
  addHashing(server, deps);
  addOAuth(server, deps.oauth);
  deps.jobs.start();
  lifecycle.use('rpc server', server);
  lifecycle.log.info({ address: await server.listen() }, 'listening');
}

/** The queue refuses first, and says when to come again; this bound is only the net under it. */
function unaryMax({ threads }: WorkersDeps): number {
  return threads.capacity * 2 + 64;
}
