import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MailSettings } from '../../../workers/mail/mail-settings.ts';
import { HttpReceiver } from '../../support/outside/http-receiver.ts';
import { Mailbox } from '../../support/outside/smtp-server.ts';
import { selfSignedCertificate } from './certificate.ts';
import { empty } from './mail-fixture.ts';

const tls = selfSignedCertificate();
const folder = mkdtempSync(path.join(tmpdir(), 'svc-mail-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const authorities = path.join(folder, 'authorities.pem');
writeFileSync(authorities, tls.cert);

const login = { user: 'shop', password: 'pass-of-the-shop' };
const keys = { apiKey: login.user, apiSecret: login.password };

test('a server that offers STARTTLS gets the password and the mail over TLS', async () => {
  await using mailbox = await Mailbox.start({ tls, login });

  const outcome = await sendTrusting(authorities, { ...empty, ...keys, provider: 'smtp', endpoint: `smtp://localhost:${mailbox.port}` });

  assert.ok('providerId' in outcome, JSON.stringify(outcome));
  assert.deepEqual([mailbox.onlyMail.isSecure, mailbox.onlyMail.user], [true, 'shop']);
});

test('a server that starts with TLS gets the mail over it', async () => {
  await using mailbox = await Mailbox.start({ tls, isSecure: true });

  const outcome = await sendTrusting(authorities, { ...empty, provider: 'smtp', endpoint: `smtps://localhost:${mailbox.port}` });

  assert.ok('providerId' in outcome, JSON.stringify(outcome));
  assert.equal(mailbox.onlyMail.isSecure, true);
});

test('a mail server whose certificate nobody vouches for gets neither password nor mail', async () => {
  await using starting = await Mailbox.start({ tls, login });
  await using secure = await Mailbox.start({ tls, login, isSecure: true });
  const settings = { ...empty, ...keys, provider: 'smtp' } as const;

  const outcomes = await Promise.all([
    sendTrusting('', { ...settings, endpoint: `smtp://localhost:${starting.port}` }),
    sendTrusting('', { ...settings, endpoint: `smtps://localhost:${secure.port}` }),
  ]);

  for (const { retry, message } of outcomes)
    assert.deepEqual([retry, message], ['later', 'The mail server could not be talked to (DEPTH_ZERO_SELF_SIGNED_CERT).']);
  assert.deepEqual([starting.logins, starting.mails.length, secure.logins, secure.mails.length], [0, 0, 0, 0]);
});

test('an HTTP provider is called over TLS when its certificate is good, and not otherwise', async () => {
  await using receiver = await HttpReceiver.startSecure(tls, { body: '{"id":"re_1"}' });
  const settings = { ...empty, ...keys, provider: 'resend', endpoint: `https://localhost:${receiver.port}` } as const;

  const trusted = await sendTrusting(authorities, settings);
  const untrusted = await sendTrusting('', settings);

  assert.deepEqual(trusted, { providerId: 're_1' });
  assert.equal(untrusted.retry, 'later');
  assert.match(untrusted.message ?? '', /^No secure connection to localhost came about \([A-Z_]+\)\.$/);
  assert.equal(receiver.requests.length, 1);
});

interface Outcome {
  readonly providerId?: string;
  readonly retry?: string;
  readonly message?: string;
}

/** What comes of a mail in a process that trusts the certificates in the file `trusted`. */
async function sendTrusting(trusted: string, settings: MailSettings): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(process.execPath, [sender, JSON.stringify(settings)], {
    env: trusted === '' ? {} : { NODE_EXTRA_CA_CERTS: trusted },
    timeout: 30_000,
  });
  return JSON.parse(stdout) as Outcome;
}

const sender = fileURLToPath(new URL('./send-one-mail.js', import.meta.url));
