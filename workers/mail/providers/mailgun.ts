import { addressBelow } from '../mail-settings.ts';
import { messageId } from '../message.ts';
import { textIn, type HttpProvider } from '../provider.ts';
import { senderText } from '../sender-text.ts';

/** Mailgun, https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Messages. */
export const mailgun: HttpProvider = {
  kind: 'http',
  needs: ['apiKey', 'domain'],
  request: (mail, settings) => ({
    url: addressBelow(settings, baseOf(settings.region), `/v3/${encodeURIComponent(settings.domain)}/messages`),
    headers: {
      authorization: `Basic ${Buffer.from(`api:${settings.apiKey}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      from: senderText(mail.from),
      to: mail.to,
      subject: mail.subject,
      ...(mail.text === '' ? {} : { text: mail.text }),
      ...(mail.html === '' ? {} : { html: mail.html }),
      'h:Message-Id': messageId(mail),
    }).toString(),
  }),
  accepted: ({ json }) => textIn(json, 'id'),
};

function baseOf(region: string): string {
  return region === 'eu' ? 'https://api.eu.mailgun.net' : 'https://api.mailgun.net';
}
