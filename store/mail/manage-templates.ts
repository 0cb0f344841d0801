import { fail } from '../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../proto/schema/http-call.ts';
import { MailTemplatesPatch, MailTest, mailKinds, type MailTemplate } from '../../proto/schema/mail-template.ts';
import { readBody } from '../../proto/schema/read-body.ts';
import type { Catalogue } from '../collections/catalogue.ts';
import { withSchema } from '../collections/with-schema.ts';
import type { Database } from '../postgres/database.ts';
import { defaultTemplates } from './default-templates.ts';
import { readTemplates, type Mailer } from './mailer.ts';
import { dropTemplate, saveTemplate } from './templates.sql.ts';

export interface TemplateDeps {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly mailer: Mailer;
}

/** The templates that hold for an auth collection. */
export async function showTemplates(deps: TemplateDeps, call: HttpCall): Promise<HttpAnswer> {
  return shown(deps, await collectionIdOf(deps, call));
}

/** Replaces templates of an auth collection; null brings the default back. */
export async function changeTemplates(deps: TemplateDeps, call: HttpCall): Promise<HttpAnswer> {
  const collectionId = await collectionIdOf(deps, call);
  const patch = readBody(MailTemplatesPatch, call.body);
  await deps.database.transaction({ label: 'mail.templates', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 }, async (tx) => {
    for (const [kind, template] of Object.entries(patch) as readonly [string, MailTemplate | null | undefined][]) {
      if (template === null) await tx.execute(dropTemplate, [collectionId, kind]);
      else if (template !== undefined) await tx.execute(saveTemplate, [collectionId, kind, template.subject, template.text, template.html]);
    }
  });
  return shown(deps, collectionId);
}

/** Sends a template with made-up values. */
export async function testTemplate(deps: TemplateDeps, call: HttpCall): Promise<HttpAnswer> {
  const collectionId = await collectionIdOf(deps, call);
  const { template, to } = readBody(MailTest, call.body);
  const values = { ACTION_URL: await deps.mailer.actionUrl('example', { token: 'example' }), TOKEN: 'example', OTP: '123456', MINUTES: '30' };
  await deps.database.transaction({ label: 'mail.test', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 }, (tx) =>
    deps.mailer.send(tx, { kind: template, collectionId, to, values }),
  );
  return { status: 202, body: '{"queued":true}' };
}

async function shown(deps: TemplateDeps, collectionId: string): Promise<HttpAnswer> {
  const own = await readTemplates((statement, values) => deps.database.query(statement, values), collectionId);
  const templates = mailKinds.map((kind) => [kind, { ...(own.get(kind) ?? defaultTemplates[kind]), isDefault: !own.has(kind) }]);
  return { status: 200, body: JSON.stringify(Object.fromEntries(templates)) };
}

function collectionIdOf({ catalogue }: TemplateDeps, { params }: HttpCall): Promise<string> {
  return withSchema(catalogue, async (schema) => {
    const collection = schema.byName(params[0] ?? '') ?? fail('collection_not_found');
    return collection.type === 'auth' ? collection.id : fail('bad_request', { values: { reason: 'Only a collection of type auth sends mail.' } });
  });
}
