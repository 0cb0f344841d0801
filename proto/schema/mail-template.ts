import { z } from 'zod';

/** The mails that the service sends to accounts. */
export const mailKinds = ['verification', 'password-reset', 'email-change', 'email-change-notice', 'otp'] as const;
export type MailKind = (typeof mailKinds)[number];

/** What a template may name, in braces; each is escaped where it is put in. */
export const placeholders = ['APP_NAME', 'APP_URL', 'ACTION_URL', 'TOKEN', 'OTP', 'EMAIL', 'MINUTES'] as const;
export type Placeholder = (typeof placeholders)[number];

const textMax = 100_000;

export const MailTemplate = z
  .strictObject({
    subject: z
      .string()
      .min(1)
      .max(300)
      .refine((text) => !/[\r\n]/.test(text), 'must be one line'),
    text: z.string().min(1).max(textMax).meta({ description: 'The plain text part.' }),
    html: z.string().min(1).max(textMax).meta({ description: 'The HTML part.' }),
  })
  .meta({ id: 'MailTemplate', description: `A mail; {${placeholders.join('}, {')}} stand for values.` });

export type MailTemplate = z.output<typeof MailTemplate>;

export const MailTemplatesPatch = z
  .strictObject(Object.fromEntries(mailKinds.map((kind) => [kind, MailTemplate.nullable().optional()])))
  .meta({ id: 'MailTemplatesPatch', description: 'The templates to replace; null brings the default back, and what is left out stays.' });

const shown = MailTemplate.extend({ isDefault: z.boolean() }).meta({ id: 'ShownMailTemplate' });

export const MailTemplatesAnswer = z
  .object(Object.fromEntries(mailKinds.map((kind) => [kind, shown])))
  .meta({ id: 'MailTemplates', description: 'The templates that hold, by kind.' });

export const MailTest = z
  .strictObject({ template: z.enum(mailKinds), to: z.email().max(254) })
  .meta({ id: 'MailTest', description: 'Which template to send, with made-up values, to whom.' });

export const MailSettingsTest = z
  .strictObject({ to: z.email().max(254) })
  .meta({ id: 'MailSettingsTest', description: 'To whom a mail is sent to see whether it arrives.' });

export const MailQueued = z.object({ queued: z.literal(true) }).meta({ id: 'MailQueued', description: 'GET /api/jobs shows what becomes of it.' });
