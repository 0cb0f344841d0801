import { sql, statement } from '../postgres/sql.ts';

/** The templates that a collection has of its own: (kind, subject, text, html). */
export const selectTemplates = statement(
  'mail.templates',
  sql`select kind, subject, body_text, body_html from svc.email_templates where collection = ${sql.param(1)}`,
);

export const saveTemplate = statement(
  'mail.save-template',
  sql`
    insert into svc.email_templates (collection, kind, subject, body_text, body_html)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, ${sql.param(5)})
    on conflict (collection, kind) do update
      set subject = excluded.subject, body_text = excluded.body_text, body_html = excluded.body_html
  `,
);

export const dropTemplate = statement(
  'mail.drop-template',
  sql`delete from svc.email_templates where collection = ${sql.param(1)} and kind = ${sql.param(2)}`,
);
