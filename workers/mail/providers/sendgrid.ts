import { addressBelow } from '../mail-settings.ts';
import { messageId, type Mail, type Sender } from '../message.ts';
import type { HttpProvider } from '../provider.ts';

/** SendGrid, https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send. Its name for the mail comes in a header. */
export const sendgrid: HttpProvider = {
  kind: 'http',
  needs: ['apiKey'],
  request: (mail, settings) => ({
    url: addressBelow(settings, baseOf(settings.region), '/v3/mail/send'),
    headers: { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: mail.to }] }],
      from: senderOf(mail.from),
      subject: mail.subject,
      content: contentOf(mail),
      headers: { 'Message-ID': messageId(mail) },
    }),
  }),
  accepted: ({ headers }) => headers['x-message-id'] ?? '',
};

function baseOf(region: string): string {
  return region === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com';
}

function senderOf({ address, name }: Sender): object {
  return name === '' ? { email: address } : { email: address, name };
}

/** An empty part is refused, and plain text must come first. */
function contentOf({ text, html }: Mail): readonly object[] {
  return [
    { type: 'text/plain', value: text },
    { type: 'text/html', value: html },
  ].filter(({ value }) => value !== '');
}
