import { JobsService, Outcome, type ClaimedJob } from '../../proto/gen/svc/v1/jobs.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** A job that is ours until its lease runs out. */
export interface LeasedJob {
  readonly id: string;
  readonly lease: string;
  readonly queue: string;
  readonly payload: unknown;
  /** 1 for the first. */
  readonly attempt: number;
}

/** How a job went. `later`: it shall be tried again, not before so many seconds. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'later'; readonly error: string; readonly retryAfterS: number };

export interface ClaimInput {
  readonly queues: readonly string[];
  readonly max: number;
  readonly waitMs: number;
  readonly requestId: string;
  /** Calls it off. */
  readonly signal: AbortSignal;
}

/** The stores' durable queues. */
export class JobsClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** Up to `max` jobs of these queues; waits at the store up to `waitMs` for the first. */
  async claim(input: ClaimInput): Promise<readonly LeasedJob[]> {
    const { queues, max, waitMs, requestId, signal } = input;
    const info = { requestId, timeoutMs: waitMs + graceMs };
    const { jobs } = await this.#rpc.unary(JobsService.claim, { queues: [...queues], max, waitMs }, info, signal);
    return jobs.map(leasedJob);
  }

  /** Tells how a job went. */
  async report({ id, lease }: LeasedJob, outcome: JobOutcome, requestId: string): Promise<void> {
    const error = outcome.kind === 'done' ? '' : outcome.error;
    const retryAfterS = outcome.kind === 'later' ? Math.ceil(outcome.retryAfterS) : 0;
    await this.#rpc.unary(JobsService.report, { id, lease, outcome: outcomes[outcome.kind], error, retryAfterS }, { requestId });
  }
}

const graceMs = 5_000;
const outcomes = { done: Outcome.DONE, failed: Outcome.FAILED, later: Outcome.TRY_LATER } as const;

function leasedJob({ payload, ...job }: ClaimedJob): LeasedJob {
  return { ...job, payload: JSON.parse(payload.toString()) as unknown };
}
