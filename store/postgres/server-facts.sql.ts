import { sql, statement } from './sql.ts';

/** The server's version number (such as 180004), and the catalogue's table where the migrations have run. */
export const serverFacts = statement('connection.facts', sql`select current_setting('server_version_num'), to_regclass('svc.catalogue')::text`);
