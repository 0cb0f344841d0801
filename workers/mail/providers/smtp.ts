import { createTransport } from 'nodemailer';
import { MailError, type Mail, type MailSettings } from '../message.ts';
import type { MailProvider } from '../provider.ts';

const timeoutMs = 15_000;

/** An SMTP server (RFC 5321), `smtp://host:port` or `smtps://host:port`; encrypted as soon as the server can. */
export const smtpProvider: MailProvider = {
  needsSender: true,
  send: async (_deps, mail, settings) => {
    const transport = createTransport(optionsOf(settings));
    try {
      const { messageId } = await transport.sendMail(messageOf(mail));
      return messageId;
    } catch (error) {
      throw explained(error);
    } finally {
      transport.close();
    }
  },
};

function optionsOf({ endpoint, apiKey, apiSecret }: MailSettings) {
  if (!URL.canParse(endpoint))
    throw new MailError('Set the SMTP server: mail.endpoint of the settings, or EMAIL_ENDPOINT, as smtp://host:port.', 'never');
  const { protocol, hostname, port } = new URL(endpoint);
  return {
    host: hostname,
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    ...(apiKey === '' ? {} : { auth: { user: apiKey, pass: apiSecret } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageOf({ id, to, from, subject, text, html }: Mail) {
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  return { messageId: `<${id}@${domain}>`, to, from, subject, text, html };
}

/** A reply of 4xx is passing, one of 5xx is final (RFC 5321, 4.2.1); what never came to a reply is passing. */
function explained(error: unknown): MailError {
  const { responseCode, code } = error as { readonly responseCode?: number; readonly code?: string };
  if (code === 'EAUTH') return new MailError('The SMTP server refused user and password.', 'never', 0, error);
  if (responseCode === undefined) return new MailError(`The SMTP server could not be reached (${code ?? 'no reply'}).`, 'later', 0, error);
  return new MailError(`The SMTP server refused the mail (${responseCode}).`, responseCode >= 500 ? 'never' : 'later', 0, error);
}
