import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { until } from '../until.ts';

/** A mail that has arrived. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** As it came, header included, its quoted-printable read. */
  readonly source: string;
  /** The link that it holds; empty where there is none. */
  readonly link: string;
  /** The code of six digits; empty where there is none. */
  readonly code: string;
}

/** A real SMTP server on a free port, which keeps what it is given. */
export class Mailbox implements AsyncDisposable {
  readonly #server: SMTPServer;
  readonly #mails: ReceivedMail[] = [];
  readonly #port: number;
  /** What the server says to the next recipients instead of taking them. */
  refusals: { readonly code: number; readonly text: string }[] = [];

  /** False: what arrives is kept, but not acknowledged. */
  acknowledges = true;

  private constructor(server: SMTPServer, port: number) {
    this.#server = server;
    this.#port = port;
  }

  static async open(): Promise<Mailbox> {
    const holder: { box?: Mailbox } = {};
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => {
        const refusal = holder.box?.refusals.shift();
        done(refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          holder.box?.take(Buffer.concat(chunks).toString(), mailFrom === false ? '' : mailFrom.address, rcptTo[0]?.address ?? '');
          if (holder.box?.acknowledges !== false) done();
        });
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const box = new Mailbox(server, (server.server.address() as AddressInfo).port);
    holder.box = box;
    return box;
  }

  /** What makes a cluster send its mail here. */
  get environment(): Readonly<Record<string, string>> {
    return {
      EMAIL_PROVIDER: 'smtp',
      EMAIL_ENDPOINT: `smtp://127.0.0.1:${this.#port}`,
      EMAIL_FROM_ADDRESS: 'svc@example.org',
      EMAIL_FROM_NAME: 'The service',
    };
  }

  get mails(): readonly ReceivedMail[] {
    return this.#mails;
  }

  /** The next mail to this address that nobody has been given yet; waits for it. */
  async next(to: string): Promise<ReceivedMail> {
    await until(`a mail to ${to}`, () => this.#mails.some((mail) => isSame(mail.to, to)));
    const [mail] = this.#mails.splice(
      this.#mails.findIndex((each) => isSame(each.to, to)),
      1,
    );
    if (mail === undefined) throw new Error('the mail has gone');
    return mail;
  }

  take(raw: string, from: string, to: string): void {
    const source = raw.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    this.#mails.push({
      from,
      to,
      source,
      subject: /^Subject: (.*)$/m.exec(source)?.[1]?.trim() ?? '',
      link: /https?:\/\/\S+\/_svc_\/\S+?(?=[\s"<])/.exec(source)?.[0] ?? '',
      code: /\b\d{6}\b/.exec(source)?.[0] ?? '',
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
