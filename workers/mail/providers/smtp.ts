import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { MailError } from '../mail-error.ts';
import { withoutKeys, type MailSettings } from '../mail-settings.ts';
import { messageId, type Mail } from '../message.ts';
import { undelivered } from '../post-mail.ts';
import type { OwnWayProvider, SentMail } from '../provider.ts';

/** SMTP (RFC 5321) by nodemailer, over a connection that egress has opened: one mail, one connection. */
export const smtp: OwnWayProvider = {
  kind: 'own way',
  needs: ['endpoint'],
  send: async ({ egress, timeoutMs }, mail, settings) => {
    const server = serverOf(settings);
    const signal = AbortSignal.timeout(timeoutMs);
    const connection = await egress.connect({ host: server.host, port: server.port, timeoutMs }).catch((error: unknown) => {
      throw undelivered(error);
    });
    try {
      return await converse({ connection, server, mail, settings, signal });
    } catch (error) {
      throw refusal(error as SmtpFailure, settings);
    } finally {
      connection.destroy();
    }
  },
};

interface Server {
  readonly host: string;
  readonly port: number;
  /** Whether TLS comes before SMTP. */
  readonly isSecure: boolean;
}

/** What nodemailer says of a failure. */
interface SmtpFailure extends Error {
  readonly code?: string;
  /** Node's, where it was the connection that failed. */
  readonly originalCode?: string;
  /** The server's last reply: its code, and its text. */
  readonly responseCode?: number;
  readonly response?: string;
}

function serverOf({ endpoint }: MailSettings): Server {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new MailError('never', 'The endpoint of smtp is not smtp://host:port or smtps://host:port.');
  if (url.username !== '' || url.password !== '')
    throw new MailError('never', 'The endpoint of smtp holds a user name; user and password have settings of their own.');
  const isSecure = url.protocol === 'smtps:';
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port), isSecure };
}

async function converse({ connection, server, mail, settings, signal }: Conversation): Promise<SentMail> {
  const transport = createTransport({
    connection,
    host: server.host,
    secure: server.isSecure,
    // Where the server offers STARTTLS it is used; a password does not cross a network without it.
    requireTLS: !server.isSecure && settings.apiKey !== '' && !isThisMachine(connection),
    ...(settings.apiKey === '' ? {} : { auth: { user: settings.apiKey, pass: settings.apiSecret } }),
    ...(settings.domain === '' ? {} : { name: settings.domain }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { messageId: providerId } = await transport.sendMail({
    from: { address: mail.from.address, name: mail.from.name },
    to: { address: mail.to, name: '' },
    subject: mail.subject,
    ...(mail.text === '' ? {} : { text: mail.text }),
    ...(mail.html === '' ? {} : { html: mail.html }),
    messageId: messageId(mail),
    signal,
  });
  return { providerId };
}

interface Conversation {
  readonly connection: Socket;
  readonly server: Server;
  readonly mail: Mail;
  readonly settings: MailSettings;
  /** Aborts when the time for this attempt is over. */
  readonly signal: AbortSignal;
}

/** There the password crosses no network. */
function isThisMachine({ remoteAddress = '' }: Socket): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}

/** A reply from 500 on is for good (RFC 5321, 4.2.1); below it, and where there was no reply, another attempt can help. */
function refusal(error: SmtpFailure, settings: MailSettings): MailError {
  const { code = error.name, originalCode = code, responseCode = 0, response = '' } = error;
  if (responseCode === 0) return new MailError('later', `The mail server could not be talked to (${originalCode}).`, { cause: error });
  const verdict = responseCode >= 500 ? 'never' : 'later';
  const said = `The mail server answered ${withoutKeys(response, settings)}`;
  return new MailError(verdict, code === 'ETLS' ? `No secure connection to the mail server came about. ${said}` : said);
}
