import { sql, statement } from '../postgres/sql.ts';

export const selectInstallation = statement('installation.read', sql`select id, encode(key_check, 'hex') from svc.installation`);

/** The first node leaves the check value; no later one overwrites it. */
export const leaveKeyCheck = statement(
  'installation.key-check',
  sql`update svc.installation set key_check = decode(${sql.param(1)}, 'hex') where key_check is null`,
);
