import type { Lifecycle } from '../proto/process/lifecycle.ts';
import { RpcClient } from '../proto/rpc/client.ts';
import { readIdentity } from '../proto/rpc/identity.ts';
import { randomIds } from '../proto/values/ids.ts';
import { systemClock } from '../proto/values/time.ts';
import { JobsClient } from './clients/jobs.ts';
import { EgressClient } from './egress/egress-client.ts';
import type { OAuthDeps } from './oauth/exchange-code.ts';
import { guardedEgress } from './oauth/guarded-egress.ts';
import { Issuers } from './oauth/issuers.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { mailJobs } from './mail/mail-jobs.ts';
import type { WorkersConfig } from './config.ts';
import { workerMetrics, type WorkerMetrics } from './metrics.ts';
import { HashThreads } from './threads/hash-threads.ts';

/** What the services of this role work with. */
export interface WorkersDeps {
  readonly threads: HashThreads;
  readonly metrics: WorkerMetrics;
  readonly jobs: JobRunner;
  readonly oauth: OAuthDeps;
}

/** Brings the threads up and has each prove that it can hash. */
export async function makeDeps(config: WorkersConfig, lifecycle: Lifecycle): Promise<WorkersDeps> {
  const threads = lifecycle.use('hash threads', new HashThreads({ threads: config.SVC_HASH_THREADS }));
  await threads.warmUp();
  const stores = lifecycle.use('store client', new RpcClient({ targets: config.SVC_STORE_URL, identity: readIdentity(config) }));
  // Relays live in private networks, and the settings are the operator's.
  const egress = lifecycle.use('egress', new EgressClient({ allowPrivate: true }));
  const handlers = { mail: mailJobs({ egress, clock: systemClock, timeoutMs: mailTimeoutMs, log: lifecycle.log }) };
  const jobs = lifecycle.use('jobs', new JobRunner({ jobs: new JobsClient(stores), handlers, ids: randomIds, log: lifecycle.log }));
  const guarded = guardedEgress(egress);
  const oauth = { egress: guarded, clock: systemClock, issuers: new Issuers({ egress: guarded, clock: systemClock }) };
  return { threads, metrics: workerMetrics(lifecycle.metrics, threads), jobs, oauth };
}

/** For one attempt at one mail. */
const mailTimeoutMs = 30_000;
