import { fail } from '../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../proto/schema/http-call.ts';
import { deleteJob, retryJob, selectJobs } from './jobs.sql.ts';
import type { Jobs } from './jobs.ts';

const perPageDefault = 30;
const perPageMax = 500;

/** The jobs, the newest first: `queue`, `state`, `page` and `perPage` of the query say which. */
export async function listJobs(jobs: Jobs, { query }: HttpCall): Promise<HttpAnswer> {
  const asked = new URLSearchParams(query);
  const page = wholeNumber(asked.get('page'), 'page', 1);
  const perPage = Math.min(wholeNumber(asked.get('perPage'), 'perPage', perPageDefault), perPageMax);
  const offset = Math.min((page - 1) * perPage, offsetMax);
  const rows = await jobs.database.query(selectJobs, [asked.get('queue') ?? '', asked.get('state') ?? '', String(perPage), String(offset)]);
  return { status: 200, body: `{"page":${page},"perPage":${perPage},"items":[${rows.map(([text]) => text ?? '').join(',')}]}` };
}

/** Has a job tried again now; one that runs, or is done, is left alone. */
export async function retryNow(jobs: Jobs, { params }: HttpCall): Promise<HttpAnswer> {
  const rows = await jobs.database.query(retryJob, [params[0] ?? '']);
  return rows.length === 0 ? fail('job_not_found') : noContent;
}

/** Takes a job out of its queue; one that runs is left alone. */
export async function dropJob(jobs: Jobs, { params }: HttpCall): Promise<HttpAnswer> {
  const rows = await jobs.database.query(deleteJob, [params[0] ?? '']);
  return rows.length === 0 ? fail('job_not_found') : noContent;
}

const offsetMax = 1_000_000_000;

function wholeNumber(text: string | null, parameter: string, fallback: number): number {
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) return fail('bad_query', { values: { parameter, reason: 'it must be a whole number from 1 on' } });
  return Number(text);
}
