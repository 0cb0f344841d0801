import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EgressClient } from '../../../workers/egress/egress-client.ts';
import { sendMail } from '../../../workers/mail/send-mail.ts';
import type { Mail } from '../../../workers/mail/message.ts';
import { HttpReceiver, type ReceivedRequest } from '../../support/outside/http-receiver.ts';
import { depsWith, empty, mail, nowMs } from './mail-fixture.ts';

const egress = new EgressClient({ allowPrivate: true });
after(() => egress.close());

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const region = 'eu-central-1';

const mails: Readonly<Record<string, Mail>> = {
  'a plain mail': { ...mail, from: { address: 'a@b.example', name: '' }, subject: 'Hi', text: 'Hi', html: '' },
  'a mail beyond ASCII': mail,
  'a mail with everything that needs care': { ...mail, subject: `%20 + & = ? / ' " \\ 😀`, text: ' \n\t\r\n '.repeat(10), html: '<b>\u2028</b>' },
  'a long mail': { ...mail, text: 'ü'.repeat(100_000) },
};

for (const [name, each] of Object.entries(mails)) {
  test(`${name} to ses is signed as Amazon's own client signs it`, async () => {
    await using receiver = await HttpReceiver.start({ body: '{"MessageId":"ses-1"}' });

    const sent = await sendMail(depsWith(egress), each, { ...empty, provider: 'ses', ...keysOf(), region, endpoint: receiver.url });

    const request = receiver.onlyRequest;
    assert.deepEqual(sent, { providerId: 'ses-1' });
    assert.deepEqual([request.method, request.path, request.headers['host']], ['POST', '/v2/email/outbound-emails', `127.0.0.1:${receiver.port}`]);
    assert.equal(request.headers['x-amz-date'], '20261121T120000Z');
    assert.equal(request.headers['authorization'], await referenceAuthorization(request));
  });
}

test('the body says sender, recipient and both texts, the name of the sender in ASCII', async () => {
  await using receiver = await HttpReceiver.start();

  await sendMail(depsWith(egress), mail, { ...empty, provider: 'ses', ...keysOf(), region, endpoint: receiver.url });

  assert.deepEqual(JSON.parse(receiver.onlyRequest.body), {
    FromEmailAddress: `=?UTF-8?B?${Buffer.from('Shop "Süd"').toString('base64')}?= <hello@shop.example>`,
    Destination: { ToAddresses: ['bob@example.org'] },
    Content: {
      Simple: {
        Subject: { Data: 'Grüße & more', Charset: 'UTF-8' },
        Body: { Text: { Data: mail.text, Charset: 'UTF-8' }, Html: { Data: mail.html, Charset: 'UTF-8' } },
      },
    },
  });
});

function keysOf(): { readonly apiKey: string; readonly apiSecret: string } {
  return { apiKey: credentials.accessKeyId, apiSecret: credentials.secretAccessKey };
}

/** What the public implementation signs this very request with, by the headers that ours says it signed. */
async function referenceAuthorization({ method, path, headers, body }: ReceivedRequest): Promise<string | undefined> {
  const signer = new SignatureV4({ credentials, region, service: 'ses', sha256: Sha256, applyChecksum: false });
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path,
      query: {},
      headers: { host: headers['host'] ?? '', 'content-type': headers['content-type'] ?? '' },
      body,
    },
    { signingDate: new Date(nowMs) },
  );
  return signed.headers['authorization'];
}
