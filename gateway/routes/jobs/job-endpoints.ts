import { z } from 'zod';
import { answered, define, type Endpoint } from '../../endpoint/define.ts';

const moment = z.string().meta({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' });

const JobSchema = z
  .object({
    id: z.string(),
    queue: z.string().meta({ example: 'mail' }),
    title: z.string(),
    state: z.enum(['waiting', 'running', 'done', 'failed']),
    attempts: z.int(),
    last_error: z.string().nullable(),
    created_at: moment,
    run_at: moment.meta({ description: 'When it is tried next, or was.' }),
    finished_at: moment.nullable(),
  })
  .meta({ id: 'Job', description: 'Work that is done later: at least once, with retries.' });

const Jobs = z.object({ page: z.int(), perPage: z.int(), items: z.array(JobSchema) }).meta({ id: 'Jobs', description: 'The newest first.' });

const JobsQuery = z.object({
  queue: z.string().optional(),
  state: z.enum(['waiting', 'running', 'done', 'failed']).optional(),
  page: z.int().optional(),
  perPage: z.int().optional(),
});

const listJobs = define({
  method: 'GET',
  path: '/api/jobs',
  operationId: 'listJobs',
  tag: 'System',
  scope: 'root',
  summary: 'List jobs',
  query: JobsQuery,
  answers: { 200: { description: 'The jobs of the last days.', schema: Jobs } },
  errors: ['bad_query', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ jobs }, request) => answered(await jobs.list(request)),
});

const retryJob = define({
  method: 'POST',
  path: '/api/jobs/:id/retry',
  operationId: 'retryJob',
  tag: 'System',
  scope: 'root',
  summary: 'Try a job again now',
  answers: { 204: { description: 'It is due.' } },
  errors: ['job_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ jobs }, request) => answered(await jobs.retry(request)),
});

const deleteJob = define({
  method: 'DELETE',
  path: '/api/jobs/:id',
  operationId: 'deleteJob',
  tag: 'System',
  scope: 'root',
  summary: 'Take a job out of its queue',
  answers: { 204: { description: 'It is gone.' } },
  errors: ['job_not_found', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ jobs }, request) => answered(await jobs.delete(request)),
});

export const jobEndpoints: readonly Endpoint[] = [listJobs, retryJob, deleteJob];
