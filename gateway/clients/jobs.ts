import { JobsService } from '../../proto/gen/svc/v1/jobs.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';
import { httpService, type HttpService } from './http-service.ts';

const { list, retry, delete: drop } = JobsService;
const methods = { list, retry, delete: drop } as const;

export type JobsClient = HttpService<typeof methods>;

/** The durable queues, as root sees them. */
export function jobsClient(rpc: RpcClient): JobsClient {
  return httpService(rpc, methods);
}
