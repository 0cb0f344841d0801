import { sql, statement } from '../postgres/sql.ts';

/** (version, what was saved, sealed, hexadecimal): nothing of it where version $1 is still the current one. */
export const selectSettings = statement(
  'settings.read',
  sql`
    select version::text, case when version <> ${sql.param(1)}::bigint then encode(saved, 'hex') end
    from svc.settings
  `,
);

export const holdSettings = statement('settings.hold', sql`select encode(saved, 'hex') from svc.settings for update`);

export const saveSettings = statement('settings.save', sql`update svc.settings set version = version + 1, saved = decode(${sql.param(1)}, 'hex')`);
