import { MailError } from '../mail-error.ts';
import { addressBelow } from '../mail-settings.ts';
import { textIn, type HttpProvider, type ProviderAnswer } from '../provider.ts';

/**
 * Cloudflare Email Service, https://developers.cloudflare.com/email-service/api/send-emails/rest-api/. It makes the Message-ID
 * itself and refuses ours, and answers 200 with the recipient among the bounced ones when it knows the address to be dead.
 */
export const cloudflare: HttpProvider = {
  kind: 'http',
  needs: ['apiKey', 'domain'],
  request: ({ to, from, subject, text, html }, settings) => ({
    url: addressBelow(settings, 'https://api.cloudflare.com/client/v4', `/accounts/${encodeURIComponent(settings.domain)}/email/sending/send`),
    headers: { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to,
      from: from.name === '' ? from.address : from,
      subject,
      ...(text === '' ? {} : { text }),
      ...(html === '' ? {} : { html }),
    }),
  }),
  accepted: (answer, { to }) => {
    const result = resultOf(answer);
    const { permanent_bounces: bounced } = result;
    if (Array.isArray(bounced) && bounced.includes(to)) throw new MailError('never', 'cloudflare knows that mail to this address bounces.');
    return textIn(result, 'message_id');
  },
};

function resultOf({ json }: ProviderAnswer): Readonly<Record<string, unknown>> {
  const { result } = json;
  return typeof result === 'object' && result !== null ? (result as Readonly<Record<string, unknown>>) : {};
}
