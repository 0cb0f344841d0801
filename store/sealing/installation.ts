import { ConfigError } from '../../proto/process/config-error.ts';
import type { Database } from '../postgres/database.ts';
import { leaveKeyCheck, selectInstallation } from './installation.sql.ts';
import type { Seal } from './seal.ts';

const checkText = 'svc';
const context = 'installation';

/** The id of the installation that the database belongs to; refuses to start where its secrets were sealed under another key. */
export async function openInstallation(database: Pick<Database, 'query'>, seal: Seal): Promise<string> {
  await database.query(leaveKeyCheck, [seal.seal(checkText, context).toString('hex')]);
  const [row] = await database.query(selectInstallation, []);
  const [id, keyCheck] = row ?? [];
  if (typeof id !== 'string' || typeof keyCheck !== 'string') throw new TypeError('svc.installation has no row: the migrations have not run');
  if (seal.open(Buffer.from(keyCheck, 'hex'), context) === checkText) return id;
  throw new ConfigError(['SVC_ENCRYPTION_KEY: this database was set up with another key; give that one, or use another database']);
}
