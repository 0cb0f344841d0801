import type { HttpAnswer, HttpCall } from '../../proto/schema/http-call.ts';
import { MailSettingsTest } from '../../proto/schema/mail-template.ts';
import { readBody } from '../../proto/schema/read-body.ts';
import type { TemplateDeps } from './manage-templates.ts';

/** Sends a mail that says nothing, to see whether mail arrives. */
export async function testSettings({ database, mailer }: Pick<TemplateDeps, 'database' | 'mailer'>, call: HttpCall): Promise<HttpAnswer> {
  const { to } = readBody(MailSettingsTest, call.body);
  await database.transaction({ label: 'mail.test', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 }, (tx) => mailer.sendTest(tx, to));
  return { status: 202, body: '{"queued":true}' };
}
