import { MailError, requireSoundHeader, type Mail, type MailSettings } from './message.ts';
import type { MailDeps, MailProvider } from './provider.ts';
import { consoleProvider } from './providers/console.ts';
import { smtpProvider } from './providers/smtp.ts';

const providers: Readonly<Record<string, MailProvider>> = { console: consoleProvider, smtp: smtpProvider };

/** Sends a mail by the provider of the settings; answers the id that it gave it. Fails with a MailError. */
export async function sendMail(deps: MailDeps, mail: Mail, settings: MailSettings, signal: AbortSignal): Promise<string> {
  const name = settings.provider ?? '';
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined) throw new MailError('No mail is sent until mail.provider of the settings, or EMAIL_PROVIDER, says by whom.', 'later');
  if (provider.needsSender) requireSoundHeader(mail);
  return provider.send(deps, mail, settings, signal);
}
