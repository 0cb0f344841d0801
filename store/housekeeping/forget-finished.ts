import { forgetOldAttempts } from '../attempts/attempts.ts';
import { forgetOldJobs } from '../jobs/jobs.ts';
import type { Database } from '../postgres/database.ts';
import { forgetOldProofs } from '../proofs/proofs.ts';
import { forgetOldSessions } from '../sessions/forget-old-sessions.ts';

/** Forgets some of what is over: sessions, proofs, attempts and jobs; answers how many. */
export async function forgetFinished(database: Pick<Database, 'query'>): Promise<number> {
  const rounds = [forgetOldSessions, forgetOldProofs, forgetOldAttempts, forgetOldJobs];
  const counts = await Promise.all(rounds.map((forget) => forget(database)));
  return counts.reduce((sum, count) => sum + count, 0);
}
