import { JobsService, Outcome, type ClaimReply, type ReportReply, type ReportRequest } from '../../proto/gen/svc/v1/jobs.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import { dropJob, listJobs, retryNow } from '../jobs/manage-jobs.ts';
import type { ClaimedJob, JobOutcome, Jobs } from '../jobs/jobs.ts';
import type { Credentials } from '../principal/credentials.ts';
import { HttpServing } from './http-service.ts';

export interface JobsServiceDeps {
  readonly jobs: Jobs;
  readonly credentials: Credentials;
  /** A job as the worker needs it: what the queue adds to the payload at the last moment. */
  readonly readied: (job: ClaimedJob) => Promise<object>;
}

/** Adds the jobs service to `server`: claiming and reporting is for members of the cluster, the rest for root and the admin key. */
export function addJobs(server: RpcServer, { jobs, credentials, readied }: JobsServiceDeps): void {
  const serve = new HttpServing(jobs, credentials);
  server.add(JobsService, {
    claim: async ({ queues, max, waitMs }, { signal }): Promise<ClaimReply> => {
      const claimed = await jobs.claim({ queues, max: Math.min(max, claimMax), waitMs: Math.min(waitMs, waitMsMax), signal });
      const messages = claimed.map(async (job) => ({ ...job, payload: Buffer.from(JSON.stringify(await readied(job))) }));
      return { jobs: await Promise.all(messages) };
    },
    report: async (request): Promise<ReportReply> => ({ taken: await jobs.report(request.id, request.lease, outcomeOf(request)) }),
    list: serve.privileged(listJobs),
    retry: serve.privileged(retryNow),
    delete: serve.privileged(dropJob),
  });
}

const claimMax = 100;
const waitMsMax = 10_000;

function outcomeOf({ outcome, error, retryAfterS }: ReportRequest): JobOutcome {
  if (outcome === Outcome.DONE) return { kind: 'done' };
  return outcome === Outcome.FAILED ? { kind: 'failed', error } : { kind: 'later', error, retryAfterS };
}
