import { AwsV4Signer } from 'aws4fetch';
import { MailError } from '../mail-error.ts';
import { addressBelow, type MailSettings } from '../mail-settings.ts';
import type { Mail } from '../message.ts';
import { textIn, type HttpProvider } from '../provider.ts';
import { asciiSenderText } from '../sender-text.ts';

/**
 * Amazon SES v2, https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html, signed by Signature Version 4.
 * It knows no idempotency and puts its own Message-ID over any other.
 */
export const ses: HttpProvider = {
  kind: 'http',
  needs: ['apiKey', 'apiSecret', 'region'],
  request: async (mail, settings, clock) => {
    const { apiKey: accessKeyId, apiSecret: secretAccessKey, region } = settings;
    const url = addressBelow(settings, baseOf(settings), '/v2/email/outbound-emails');
    const body = JSON.stringify(bodyOf(mail));
    const datetime = new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    const headers = { 'content-type': 'application/json' };
    const signer = new AwsV4Signer({
      method: 'POST',
      url,
      headers,
      body,
      accessKeyId,
      secretAccessKey,
      region,
      service: 'ses',
      datetime,
      allHeaders: true,
    });
    const signed = await signer.sign();
    return { url, headers: Object.fromEntries(signed.headers), body };
  },
  accepted: ({ json }) => textIn(json, 'MessageId'),
  // Common to all of Amazon: throttling answers 400, and says so in a header `Name:address`.
  isPassing: ({ headers }) => passing.has((headers['x-amzn-errortype'] ?? '').split(':')[0] ?? ''),
};

const passing: ReadonlySet<string> = new Set(['ThrottlingException', 'TooManyRequestsException', 'LimitExceededException', 'RequestTimeout']);

/** The region becomes part of the host that gets the mail. */
function baseOf({ region }: MailSettings): string {
  if (!/^[a-z0-9-]{1,32}$/.test(region)) throw new MailError('never', 'The region of ses is not the name of a region.');
  return `https://email.${region}.amazonaws.com`;
}

function bodyOf({ to, from, subject, text, html }: Mail): object {
  return {
    FromEmailAddress: asciiSenderText(from),
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: utf8(subject),
        Body: { ...(text === '' ? {} : { Text: utf8(text) }), ...(html === '' ? {} : { Html: utf8(html) }) },
      },
    },
  };
}

function utf8(text: string): object {
  return { Data: text, Charset: 'UTF-8' };
}
