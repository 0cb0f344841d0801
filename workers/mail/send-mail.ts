import { checkSettings, type MailProvider, type MailSettings } from './mail-settings.ts';
import { checkMail, type Mail } from './message.ts';
import { postMail } from './post-mail.ts';
import type { HttpProvider, MailDeps, OwnWayProvider, SentMail } from './provider.ts';
import { cloudflare } from './providers/cloudflare.ts';
import { consoleProvider } from './providers/console.ts';
import { mailgun } from './providers/mailgun.ts';
import { resend } from './providers/resend.ts';
import { sendgrid } from './providers/sendgrid.ts';
import { ses } from './providers/ses.ts';
import { smtp } from './providers/smtp.ts';

/** Hands one mail to the provider of the settings. Rejects with MailError, which says whether another attempt can help. */
export async function sendMail(deps: MailDeps, mail: Mail, settings: MailSettings): Promise<SentMail> {
  checkMail(mail);
  const provider = providers[settings.provider];
  checkSettings(settings, provider.needs);
  switch (provider.kind) {
    case 'http':
      return postMail(deps, { provider, mail, settings });
    case 'own way':
      return provider.send(deps, mail, settings);
  }
}

const providers: Readonly<Record<MailProvider, HttpProvider | OwnWayProvider>> = {
  ses,
  resend,
  mailgun,
  sendgrid,
  cloudflare,
  smtp,
  console: consoleProvider,
};
