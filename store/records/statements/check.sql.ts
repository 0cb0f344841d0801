import { sql, statement } from '../../postgres/sql.ts';

/** Checks the deferred foreign keys now rather than at the commit. */
export const checkConstraints = statement('records.check', sql`set constraints all immediate`);

/** Lets foreign keys wait again for the next check. */
export const deferConstraints = statement('records.defer', sql`set constraints all deferred`);
