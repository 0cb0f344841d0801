import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server';

/** One mail as the server took it. */
export interface DeliveredMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came over the wire. */
  readonly raw: string;
  /** Who had signed in; empty for nobody. */
  readonly user: string;
  readonly isSecure: boolean;
}

export interface MailboxOptions {
  /** The user and the password it wants; without them it wants none. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Its certificate, for STARTTLS; without one it offers no TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Whether TLS comes before SMTP. */
  readonly isSecure?: boolean;
  /** What it says to each recipient: a refusal with this reply code. */
  readonly refuseWith?: { readonly code: number; readonly text: string };
}

/** A real SMTP server that keeps what it gets. */
export class Mailbox implements AsyncDisposable {
  readonly mails: DeliveredMail[] = [];
  /** Logins tried so far. */
  logins = 0;
  readonly #server: SMTPServer;

  private constructor(options: MailboxOptions) {
    this.#server = new SMTPServer({
      ...optionsOf(options, () => (this.logins += 1)),
      onData: callbackify((stream: SMTPServerDataStream, session: Session) => this.#take(stream, session)),
    });
    // A client that does not trust the certificate hangs up; that is its test's business.
    this.#server.on('error', () => undefined);
  }

  /** Listens at a free port of 127.0.0.1. */
  static async start(options: MailboxOptions = {}): Promise<Mailbox> {
    const mailbox = new Mailbox(options);
    const listener = mailbox.#server.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return mailbox;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The one mail that came; fails when there were none or several. */
  get onlyMail(): DeliveredMail {
    const [mail] = this.mails;
    if (mail === undefined || this.mails.length > 1) throw new Error(`${this.mails.length} mails came, not one`);
    return mail;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #take(stream: SMTPServerDataStream, { envelope, user, secure }: Session): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    const to = envelope.rcptTo.map(({ address }) => address);
    this.mails.push({ from, to, raw: Buffer.concat(chunks).toString('utf8'), user: typeof user === 'string' ? user : '', isSecure: secure });
  }
}

type Session = Parameters<SMTPServer['onData']>[1];

function optionsOf({ login, tls, isSecure = false, refuseWith }: MailboxOptions, countLogin: () => void): SMTPServerOptions {
  return {
    logger: false,
    secure: isSecure,
    hideSTARTTLS: tls === undefined,
    ...tls,
    authOptional: login === undefined,
    disabledCommands: [...(login === undefined ? ['AUTH'] : []), ...(tls === undefined ? ['STARTTLS'] : [])],
    allowInsecureAuth: true,
    closeTimeout: 1_000,
    onAuth: ({ username, password }, _session, done) => {
      countLogin();
      if (username === login?.user && password === login?.password) return done(null, { user: username });
      // Some servers quote what they were sent.
      done(replyOf(535, `5.7.8 ${username ?? ''}/${password ?? ''} is not known here`));
    },
    onRcptTo: (_address, _session, done) => done(refuseWith === undefined ? null : replyOf(refuseWith.code, refuseWith.text)),
  };
}

function replyOf(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
