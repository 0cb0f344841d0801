import type { Database } from '../postgres/database.ts';
import { forgetSessions } from './sessions.sql.ts';

/** Forgets some of the sessions that have expired; answers how many. */
export async function forgetOldSessions(database: Pick<Database, 'query'>): Promise<number> {
  return (await database.query(forgetSessions, [])).length;
}
