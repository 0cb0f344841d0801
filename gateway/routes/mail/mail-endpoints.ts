import { MailQueued, MailSettingsTest, MailTemplatesAnswer, MailTemplatesPatch, MailTest } from '../../../proto/schema/mail-template.ts';
import { answered, define, type Endpoint } from '../../endpoint/define.ts';

const away = ['unavailable', 'overloaded', 'timed_out'] as const;

const showTemplates = define({
  method: 'GET',
  path: '/api/svc/:name/email-templates',
  operationId: 'showEmailTemplates',
  tag: 'Accounts',
  scope: 'root',
  summary: 'Show the mails to accounts',
  answers: { 200: { description: 'The templates that hold.', schema: MailTemplatesAnswer } },
  errors: ['collection_not_found', ...away],
  handle: async ({ mail }, request) => answered(await mail.showTemplates(request)),
});

const changeTemplates = define({
  method: 'PUT',
  path: '/api/svc/:name/email-templates',
  operationId: 'changeEmailTemplates',
  tag: 'Accounts',
  scope: 'root',
  summary: 'Replace mails to accounts',
  description: 'What stands in braces is replaced by a value, which is escaped; the templates run nothing.',
  body: MailTemplatesPatch,
  answers: { 200: { description: 'The templates that hold now.', schema: MailTemplatesAnswer } },
  errors: ['collection_not_found', ...away],
  handle: async ({ mail }, request) => answered(await mail.changeTemplates(request)),
});

const testTemplate = define({
  method: 'POST',
  path: '/api/svc/:name/email-templates/test',
  operationId: 'testEmailTemplate',
  tag: 'Accounts',
  scope: 'root',
  summary: 'Send a mail with made-up values',
  body: MailTest,
  answers: { 202: { description: 'It is in the queue.', schema: MailQueued } },
  errors: ['collection_not_found', ...away],
  handle: async ({ mail }, request) => answered(await mail.testTemplate(request)),
});

const testSettings = define({
  method: 'POST',
  path: '/api/settings/test-email',
  operationId: 'testMailSettings',
  tag: 'System',
  scope: 'root',
  summary: 'Send a mail to see whether it arrives',
  body: MailSettingsTest,
  answers: { 202: { description: 'It is in the queue.', schema: MailQueued } },
  errors: [...away],
  handle: async ({ mail }, request) => answered(await mail.testSettings(request)),
});

export const mailEndpoints: readonly Endpoint[] = [showTemplates, changeTemplates, testTemplate, testSettings];
