import { addressBelow } from '../mail-settings.ts';
import { textIn, type HttpProvider } from '../provider.ts';
import { senderText } from '../sender-text.ts';

/** Resend, https://resend.com/docs/api-reference/emails/send-email. A key that comes again within 24 hours sends nothing twice. */
export const resend: HttpProvider = {
  kind: 'http',
  needs: ['apiKey'],
  request: ({ to, from, subject, text, html, id }, settings) => ({
    url: addressBelow(settings, 'https://api.resend.com', '/emails'),
    headers: { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify({ from: senderText(from), to: [to], subject, ...(text === '' ? {} : { text }), ...(html === '' ? {} : { html }) }),
  }),
  accepted: ({ json }) => textIn(json, 'id'),
  // An earlier attempt is still under way there.
  isPassing: ({ status, json }) => status === 409 && json['name'] === 'concurrent_idempotent_requests',
};
