import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EgressClient } from '../../../workers/egress/egress-client.ts';
import type { MailProvider, MailSettings } from '../../../workers/mail/mail-settings.ts';
import { sendMail } from '../../../workers/mail/send-mail.ts';
import { HttpReceiver, never, type ReceiverAnswer } from '../../support/outside/http-receiver.ts';
import { depsWith, empty, failureOf, mail } from './mail-fixture.ts';

const egress = new EgressClient({ allowPrivate: true });
after(() => egress.close());
const deps = depsWith(egress);

const keys = { apiKey: 'key-of-the-provider', apiSecret: 'secret-of-the-provider' };

/** Everything that any of them needs. */
const settingsOf = (provider: MailProvider, endpoint: string): MailSettings => ({
  provider,
  ...keys,
  domain: 'mg.shop.example',
  region: 'eu-central-1',
  endpoint,
});

const httpProviders = ['ses', 'resend', 'mailgun', 'sendgrid', 'cloudflare'] as const;

test('resend gets one JSON post, with the id of the mail as its idempotency key', async () => {
  await using receiver = await HttpReceiver.start({ body: '{"id":"re_1"}' });

  const sent = await sendMail(deps, mail, settingsOf('resend', receiver.url));

  const { method, path, headers, body } = receiver.onlyRequest;
  assert.deepEqual(sent, { providerId: 're_1' });
  assert.deepEqual([method, path], ['POST', '/emails']);
  assert.equal(headers['authorization'], `Bearer ${keys.apiKey}`);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['idempotency-key'], mail.id);
  assert.deepEqual(JSON.parse(body), {
    from: '"Shop \\"Süd\\"" <hello@shop.example>',
    to: ['bob@example.org'],
    subject: 'Grüße & more',
    text: mail.text,
    html: mail.html,
  });
});

test('mailgun gets one form, with a Message-ID that stays the same', async () => {
  await using receiver = await HttpReceiver.start({ body: '{"id":"<1@mg>","message":"Queued. Thank you."}' });

  const sent = await sendMail(deps, mail, settingsOf('mailgun', `${receiver.url}/`));

  const { method, path, headers, body } = receiver.onlyRequest;
  assert.deepEqual(sent, { providerId: '<1@mg>' });
  assert.deepEqual([method, path], ['POST', '/v3/mg.shop.example/messages']);
  assert.equal(headers['authorization'], `Basic ${Buffer.from(`api:${keys.apiKey}`).toString('base64')}`);
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
    from: '"Shop \\"Süd\\"" <hello@shop.example>',
    to: 'bob@example.org',
    subject: 'Grüße & more',
    text: mail.text,
    html: mail.html,
    'h:Message-Id': `<${mail.id}@shop.example>`,
  });
});

test('sendgrid gets plain text before rich text, and names the mail in a header', async () => {
  await using receiver = await HttpReceiver.start({ status: 202, headers: { 'X-Message-Id': 'sg-1' } });

  const sent = await sendMail(deps, mail, settingsOf('sendgrid', receiver.url));

  const { method, path, headers, body } = receiver.onlyRequest;
  assert.deepEqual(sent, { providerId: 'sg-1' });
  assert.deepEqual([method, path, headers['authorization']], ['POST', '/v3/mail/send', `Bearer ${keys.apiKey}`]);
  assert.deepEqual(JSON.parse(body), {
    personalizations: [{ to: [{ email: 'bob@example.org' }] }],
    from: { email: 'hello@shop.example', name: 'Shop "Süd"' },
    subject: 'Grüße & more',
    content: [
      { type: 'text/plain', value: mail.text },
      { type: 'text/html', value: mail.html },
    ],
    headers: { 'Message-ID': `<${mail.id}@shop.example>` },
  });
});

test('cloudflare gets one JSON post below the account', async () => {
  const result = { message_id: 'cf-1', delivered: [], queued: ['bob@example.org'], permanent_bounces: [] };
  await using receiver = await HttpReceiver.start({ body: JSON.stringify({ success: true, errors: [], messages: [], result }) });

  const sent = await sendMail(deps, mail, { ...settingsOf('cloudflare', `${receiver.url}/client/v4`), domain: 'account/1' });

  const { method, path, headers, body } = receiver.onlyRequest;
  assert.deepEqual(sent, { providerId: 'cf-1' });
  assert.deepEqual([method, path], ['POST', '/client/v4/accounts/account%2F1/email/sending/send']);
  assert.equal(headers['authorization'], `Bearer ${keys.apiKey}`);
  assert.deepEqual(JSON.parse(body), {
    to: 'bob@example.org',
    from: { address: 'hello@shop.example', name: 'Shop "Süd"' },
    subject: 'Grüße & more',
    text: mail.text,
    html: mail.html,
  });
});

test('cloudflare answers 200 for an address that it knows to bounce, and that is no success', async () => {
  const result = { delivered: [], queued: [], permanent_bounces: ['bob@example.org'] };
  await using receiver = await HttpReceiver.start({ body: JSON.stringify({ success: true, result }) });

  const failure = await failureOf(sendMail(deps, mail, settingsOf('cloudflare', receiver.url)));

  assert.equal(failure.retry, 'never');
});

for (const provider of httpProviders) {
  test(`${provider}: a mail without a name and without html leaves both out, and the client says what it is`, async () => {
    await using receiver = await HttpReceiver.start();

    const sent = await sendMail(deps, { ...mail, from: { address: mail.from.address, name: '' }, html: '' }, settingsOf(provider, receiver.url));

    assert.deepEqual(sent, { providerId: '' });
    assert.doesNotMatch(receiver.onlyRequest.body, /html|"name"|<hello@/i);
    assert.match(receiver.onlyRequest.body, /hello(@|%40)shop\.example/);
    assert.equal(receiver.onlyRequest.headers['user-agent'], 'svc');
  });

  test(`${provider}: what passes is tried later, and what does not never`, async () => {
    await using receiver = await HttpReceiver.start();
    const settings = settingsOf(provider, receiver.url);
    const verdictOn = async (answer: ReceiverAnswer): Promise<unknown> => {
      receiver.answerWith(answer);
      const { retry, retryAfterS } = await failureOf(sendMail(deps, mail, settings));
      return retryAfterS === undefined ? retry : `${retry}, after ${retryAfterS} s`;
    };

    assert.equal(await verdictOn({ status: 429, headers: { 'retry-after': '37' } }), 'later, after 37 s');
    assert.equal(await verdictOn({ status: 429, headers: { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' } }), 'later, after 60 s');
    assert.equal(await verdictOn({ status: 429 }), 'later');
    assert.equal(await verdictOn({ status: 503, headers: { 'retry-after': '5' } }), 'later, after 5 s');
    assert.equal(await verdictOn({ status: 500, body: 'no JSON' }), 'later');
    assert.equal(await verdictOn({ ending: 'reset' }), 'later');
    assert.equal(await verdictOn({ status: 400, headers: { 'retry-after': '5' } }), 'never');
    assert.equal(await verdictOn({ status: 401 }), 'never');
    assert.equal(await verdictOn({ status: 422 }), 'never');
    assert.equal(await verdictOn({ status: 302, headers: { location: receiver.url } }), 'never');
  });

  test(`${provider}: the reason it gives is told, without the keys that it quotes`, async () => {
    const quote = `the key ${keys.apiKey} or ${keys.apiSecret} or ${Buffer.from(`api:${keys.apiKey}`).toString('base64')}\n is wrong`;
    const reason = { ses: { message: quote }, sendgrid: { errors: [{ message: quote }] }, cloudflare: { errors: [{ code: 1, message: quote }] } };
    await using receiver = await HttpReceiver.start({
      status: 403,
      body: JSON.stringify({ message: quote, ...(provider in reason ? { message: undefined, ...reason[provider as keyof typeof reason] } : {}) }),
    });

    const failure = await failureOf(sendMail(deps, mail, settingsOf(provider, receiver.url)));

    assert.equal(failure.message, `${provider} answered 403: the key [key] or [key] or [key] is wrong`);
    assert.equal(failure.cause, undefined);
  });

  test(`${provider}: without a setting it needs nothing is sent`, async () => {
    await using receiver = await HttpReceiver.start();

    const failure = await failureOf(sendMail(deps, mail, { ...empty, provider, endpoint: receiver.url }));

    assert.equal(failure.retry, 'never');
    assert.match(failure.message, /needs the settings apiKey/);
    assert.equal(receiver.connections, 0);
  });
}

test('ses: throttling that calls itself a bad request is tried later, and another bad request is not', async () => {
  await using receiver = await HttpReceiver.start(
    { status: 400, headers: { 'x-amzn-ErrorType': 'ThrottlingException:http://internal.amazon.com/coral/' } },
    { status: 400, headers: { 'x-amzn-ErrorType': 'MessageRejected' } },
  );
  const settings = settingsOf('ses', receiver.url);

  const throttled = await failureOf(sendMail(deps, mail, settings));
  const rejected = await failureOf(sendMail(deps, mail, settings));

  assert.deepEqual([throttled.retry, rejected.retry], ['later', 'never']);
});

test('resend: a twin still under way is tried later, and a key used for another mail is not', async () => {
  await using receiver = await HttpReceiver.start(
    { status: 409, body: '{"name":"concurrent_idempotent_requests","message":"under way"}' },
    { status: 409, body: '{"name":"invalid_idempotent_request","message":"another"}' },
  );
  const settings = settingsOf('resend', receiver.url);

  const twin = await failureOf(sendMail(deps, mail, settings));
  const other = await failureOf(sendMail(deps, mail, settings));

  assert.deepEqual([twin.retry, other.retry], ['later', 'never']);
});

test('a provider that does not answer, is not there or is nowhere to be called', async () => {
  await using silent = await HttpReceiver.start({ after: never });
  const gone = await HttpReceiver.start();
  const goneUrl = gone.url;
  await gone.close();

  const [late, absent, refused, senseless] = await Promise.all([
    failureOf(sendMail({ ...deps, timeoutMs: 50 }, mail, settingsOf('resend', silent.url))),
    failureOf(sendMail(deps, mail, settingsOf('resend', goneUrl))),
    failureOf(sendMail(deps, mail, settingsOf('resend', 'http://169.254.169.254'))),
    failureOf(sendMail(deps, mail, settingsOf('resend', 'not an address'))),
  ]);

  assert.deepEqual([late.retry, absent.retry, refused.retry, senseless.retry], ['later', 'later', 'never', 'never']);
});

test('without an endpoint each provider is called at its own address', async () => {
  const called: string[] = [];
  const recording = { ...deps, egress: { ...egressThat((url) => called.push(url)) } };

  for (const provider of httpProviders) await sendMail(recording, mail, settingsOf(provider, ''));
  for (const provider of ['mailgun', 'sendgrid'] as const) await sendMail(recording, mail, { ...settingsOf(provider, ''), region: 'eu' });

  assert.deepEqual(called, [
    'https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails',
    'https://api.resend.com/emails',
    'https://api.mailgun.net/v3/mg.shop.example/messages',
    'https://api.sendgrid.com/v3/mail/send',
    'https://api.cloudflare.com/client/v4/accounts/mg.shop.example/email/sending/send',
    'https://api.eu.mailgun.net/v3/mg.shop.example/messages',
    'https://api.eu.sendgrid.com/v3/mail/send',
  ]);
});

test('a region that would lead the mail elsewhere is refused', async () => {
  const failure = await failureOf(sendMail(deps, mail, { ...settingsOf('ses', ''), region: 'x.evil.example/' }));

  assert.equal(failure.retry, 'never');
});

test('a key with a line break in it becomes no header', async () => {
  await using receiver = await HttpReceiver.start();

  const failure = await failureOf(sendMail(deps, mail, { ...settingsOf('resend', receiver.url), apiKey: 'key\r\nX-More: 1' }));

  assert.equal(failure.retry, 'never');
  assert.equal(receiver.connections, 0);
});

test('a worker that shuts down leaves the mail for later', async () => {
  const closed = new EgressClient({ allowPrivate: true });
  await closed.close();

  const failure = await failureOf(sendMail(depsWith(closed), mail, settingsOf('resend', 'http://127.0.0.1:9')));

  assert.equal(failure.retry, 'later');
});

/** The real client cannot be let loose on the real providers; this one says where it would have gone. */
function egressThat(note: (url: string) => void): Pick<EgressClient, 'request' | 'connect'> {
  return {
    request: ({ url }) => {
      note(url);
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0), isCut: false, durationMs: 0 });
    },
    connect: () => Promise.reject(new Error('no HTTP provider connects')),
  };
}
