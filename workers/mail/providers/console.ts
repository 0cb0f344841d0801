import type { MailProvider } from '../provider.ts';

/** Writes mail to the log instead of sending it: for development. */
export const consoleProvider: MailProvider = {
  needsSender: false,
  send: async ({ log }, mail) => {
    log.info({ to: mail.to, subject: mail.subject }, `mail that is not sent:\n${mail.text}`);
    return mail.id;
  },
};
