import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { EgressClient } from '../../../workers/egress/egress-client.ts';
import type { MailSettings } from '../../../workers/mail/mail-settings.ts';
import { sendMail } from '../../../workers/mail/send-mail.ts';
import { Mailbox } from '../../support/outside/smtp-server.ts';
import { depsWith, empty, failureOf, mail, type Written } from './mail-fixture.ts';

const egress = new EgressClient({ allowPrivate: true });
after(() => egress.close());
const deps = depsWith(egress);
const login = { user: 'shop', password: 'pass-of-the-shop' };
const keys = { apiKey: login.user, apiSecret: login.password };

test('a mail arrives with both its texts, its sender and the Message-ID of every attempt', async () => {
  await using mailbox = await Mailbox.start();

  const sent = await sendMail(deps, mail, settingsOf(mailbox));

  const { from, to, raw, user } = mailbox.onlyMail;
  assert.deepEqual([from, to, user], ['hello@shop.example', ['bob@example.org'], '']);
  assert.deepEqual(sent, { providerId: `<${mail.id}@shop.example>` });
  assert.match(raw, /^Message-ID: <019a0000-0000-7000-8000-000000000001@shop\.example>\r$/m);
  assert.match(raw, /^To: bob@example\.org\r$/m);
  assert.match(raw, /^From: .*<hello@shop\.example>\r$/m);
  assert.match(raw, /^Content-Type: multipart\/alternative;/m);
  assert.match(raw, /Plain =C3=BC text\.\r\nSecond line\./);
  assert.match(raw, /<p>Rich =C3=BC text\.<\/p>/);
});

test('a mail without html is one plain part', async () => {
  await using mailbox = await Mailbox.start();

  await sendMail(deps, { ...mail, html: '' }, settingsOf(mailbox));

  assert.match(mailbox.onlyMail.raw, /^Content-Type: text\/plain; charset=utf-8\r$/m);
  assert.doesNotMatch(mailbox.onlyMail.raw, /multipart/);
});

test('a line of one dot ends no mail', async () => {
  await using mailbox = await Mailbox.start();

  await sendMail(deps, { ...mail, text: 'first\r\n.\r\nRCPT TO:<eve@example.net>\r\nlast', html: '' }, settingsOf(mailbox));

  assert.deepEqual(mailbox.onlyMail.to, ['bob@example.org']);
  assert.match(mailbox.onlyMail.raw, /first\r\n\.\r\nRCPT TO:<eve@example\.net>\r\nlast/);
});

test('a server that wants to know who sends is told', async () => {
  await using mailbox = await Mailbox.start({ login });

  await sendMail(deps, mail, { ...settingsOf(mailbox), ...keys });

  assert.equal(mailbox.onlyMail.user, 'shop');
});

test('a wrong password is refused for good, and the password that the server quotes is not told', async () => {
  await using mailbox = await Mailbox.start({ login });

  const failure = await failureOf(sendMail(deps, mail, { ...settingsOf(mailbox), apiKey: 'shop', apiSecret: 'wrong-password' }));

  assert.deepEqual([failure.retry, failure.message], ['never', 'The mail server answered 535 5.7.8 [key]/[key] is not known here']);
  assert.equal(failure.cause, undefined);
  assert.equal(mailbox.mails.length, 0);
});

test('what the server refuses for now is tried later, and what it refuses for good never', async () => {
  await using busy = await Mailbox.start({ refuseWith: { code: 451, text: '4.7.1 greylisted' } });
  await using strict = await Mailbox.start({ refuseWith: { code: 550, text: '5.1.1 no such user' } });

  const later = await failureOf(sendMail(deps, mail, settingsOf(busy)));
  const never = await failureOf(sendMail(deps, mail, settingsOf(strict)));

  assert.deepEqual([later.retry, later.message], ['later', 'The mail server answered 451 4.7.1 greylisted']);
  assert.deepEqual([never.retry, never.message], ['never', 'The mail server answered 550 5.1.1 no such user']);
});

test('a server that is not there, or that never speaks, is tried later', async () => {
  const gone = await Mailbox.start();
  const goneSettings = settingsOf(gone);
  await gone.close();
  await using mute = await Mute.start();

  const absent = await failureOf(sendMail(deps, mail, goneSettings));
  const late = await failureOf(sendMail({ ...deps, timeoutMs: 100 }, mail, { ...goneSettings, endpoint: `smtp://127.0.0.1:${mute.port}` }));

  assert.deepEqual([absent.retry, late.retry], ['later', 'later']);
  await mute.isLeft;
});

test('a server at an address that may not be called is not called', async () => {
  const failure = await failureOf(sendMail(deps, mail, { ...empty, provider: 'smtp', endpoint: 'smtp://169.254.169.254:25' }));

  assert.equal(failure.retry, 'never');
});

test('an endpoint that is none, or that hides a password, is refused for good', async () => {
  const endpoints = ['', 'mail.example', 'http://mail.example', 'smtp://', 'smtp://user:password@mail.example'];

  const failures = await Promise.all(endpoints.map((endpoint) => failureOf(sendMail(deps, mail, { ...empty, provider: 'smtp', endpoint }))));

  assert.deepEqual(
    failures.map(({ retry }) => retry),
    endpoints.map(() => 'never'),
  );
  for (const { message } of failures) assert.doesNotMatch(message, /password@/);
});

test('a password crosses no network without TLS', async () => {
  await using mailbox = await Mailbox.start({ login });
  const connectFromAfar: EgressClient['connect'] = async (target) => {
    const socket = await egress.connect(target);
    return Object.defineProperty(socket, 'remoteAddress', { value: '192.0.2.1' });
  };

  const failure = await failureOf(
    sendMail({ ...deps, egress: { request: (request) => egress.request(request), connect: connectFromAfar } }, mail, {
      ...settingsOf(mailbox),
      ...keys,
    }),
  );

  assert.match(failure.message, /^No secure connection to the mail server came about\. The mail server answered 5/);
  assert.equal(mailbox.logins, 0);
  assert.equal(mailbox.mails.length, 0);
});

test('the console provider writes the mail into the log and sends nothing', async () => {
  const written: Written = { lines: [] };

  const sent = await sendMail(depsWith(egress, written), mail, { ...empty, provider: 'console' });

  const { id, to, subject, text } = mail;
  assert.deepEqual(sent, { providerId: '' });
  assert.deepEqual(written.lines, [[{ mail: { id, to, from: 'hello@shop.example', subject, text } }, 'mail written here instead of being sent']]);
});

test('no provider is given a mail that is not fit to be sent', async () => {
  await using mailbox = await Mailbox.start();
  const written: Written = { lines: [] };
  const forged = { ...mail, subject: 'Hello\r\nBcc: eve@example.net' };

  const failures = await Promise.all([
    failureOf(sendMail(deps, forged, settingsOf(mailbox))),
    failureOf(sendMail(depsWith(egress, written), forged, { ...empty, provider: 'console' })),
  ]);

  assert.deepEqual(
    failures.map(({ retry }) => retry),
    ['never', 'never'],
  );
  assert.deepEqual([mailbox.mails.length, written.lines.length], [0, 0]);
});

function settingsOf(mailbox: Mailbox): MailSettings {
  return { ...empty, provider: 'smtp', endpoint: `smtp://127.0.0.1:${mailbox.port}` };
}

/** Takes connections and says nothing. */
class Mute implements AsyncDisposable {
  readonly #server = createServer();
  /** Resolves when a client has hung up. */
  readonly isLeft: Promise<void>;

  private constructor() {
    this.isLeft = new Promise((resolve) =>
      this.#server.on('connection', (socket) =>
        socket
          .on('error', () => undefined)
          .on('close', () => resolve())
          .resume(),
      ),
    );
  }

  static async start(): Promise<Mute> {
    const mute = new Mute();
    mute.#server.listen(0, '127.0.0.1');
    await once(mute.#server, 'listening');
    return mute;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}
