import { sql, statement } from '../../postgres/sql.ts';

/** The account that an account elsewhere opens: (record). */
export const selectLink = statement(
  'oauth2.link',
  sql`
    select record
    from svc.linked_accounts
    where collection = ${sql.param(1)}
      and provider = ${sql.param(2)}
      and subject = ${sql.param(3)}
  `,
);

/** Links an account elsewhere: (collection, provider, subject, record, address); no row where it is linked already. */
export const insertLink = statement(
  'oauth2.insert-link',
  sql`
    insert into svc.linked_accounts (collection, provider, subject, record, email)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, ${sql.param(5)})
    on conflict do nothing
    returning record
  `,
);
