import { readParameters, refuseParameter } from '../parameters.ts';

/** What a change of all matching records was asked for. */
export interface BulkQuery {
  readonly filter: string;
  /** More matches than this, and nothing is changed. */
  readonly maxAffected: number;
  /** Only count. */
  readonly isDryRun: boolean;
}

export const affectedMax = 10_000;
const affectedDefault = 1_000;

/** Reads the query string; a filter must be given, so that a forgotten one changes nothing. */
export function readBulkQuery(query: string): BulkQuery {
  const parameters = readParameters(query);
  const filter = parameters.get('filter') ?? '';
  if (filter.trim() === '') return refuseParameter('filter', 'it says which records are meant and must be given; id != "" means all');
  const dryRun = parameters.get('dryRun') ?? 'false';
  if (dryRun !== 'true' && dryRun !== 'false') return refuseParameter('dryRun', 'it must be true or false');
  return { filter, maxAffected: readMax(parameters.get('maxAffected')), isDryRun: dryRun === 'true' };
}

function readMax(text: string | undefined): number {
  if (text === undefined) return affectedDefault;
  const max = Number(text);
  return /^\d{1,5}$/.test(text) && max >= 1 && max <= affectedMax
    ? max
    : refuseParameter('maxAffected', `it must be a whole number from 1 to ${affectedMax}`);
}
