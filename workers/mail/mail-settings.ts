import { MailError } from './mail-error.ts';

export type MailProvider = 'ses' | 'resend' | 'mailgun' | 'sendgrid' | 'cloudflare' | 'smtp' | 'console';

/** How mail leaves; what a provider has no use for is empty. */
export interface MailSettings {
  readonly provider: MailProvider;
  /** SES: the access key id. SMTP: the user. */
  readonly apiKey: string;
  /** SES: the secret access key. SMTP: the password. */
  readonly apiSecret: string;
  /** Mailgun: the sending domain. Cloudflare: the account id. SMTP: what the client calls itself. */
  readonly domain: string;
  /** SES: as in `eu-central-1`. Mailgun and SendGrid: `eu` for their servers in Europe. */
  readonly region: string;
  /** Stands for the provider's own base address. SMTP: `smtp://host:port`, or `smtps://` where TLS comes first. */
  readonly endpoint: string;
}

/** Fails, for good, when a setting that the provider cannot do without is empty, and when one holds what no header takes. */
export function checkSettings(settings: MailSettings, needs: readonly (keyof MailSettings)[]): void {
  const missing = needs.filter((name) => settings[name] === '');
  if (missing.length > 0) throw new MailError('never', `The mail provider ${settings.provider} needs the settings ${missing.join(', ')}.`);
  const broken = Object.entries(settings).find(([, value]) => /\p{Cc}/u.test(String(value)));
  if (broken !== undefined)
    throw new MailError('never', `The setting ${broken[0]} of ${settings.provider} holds a line break or another control character.`);
}

/** The address to call: `path` below the endpoint, or below the provider's `base` when no endpoint is set. */
export function addressBelow({ endpoint, provider }: MailSettings, base: string, path: string): string {
  const address = `${(endpoint === '' ? base : endpoint).replace(/\/+$/, '')}${path}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new MailError('never', `The endpoint of ${provider} is not an http or https address.`);
  if (url.username !== '' || url.password !== '') throw new MailError('never', `The endpoint of ${provider} holds a user name or a password.`);
  return address;
}

/** `text` without the keys of the settings, in any form in which a peer could quote them, and in one bounded line. */
export function withoutKeys(text: string, { apiKey, apiSecret }: MailSettings): string {
  const keys = [apiKey, apiSecret].filter((key) => key !== '');
  const encoded = [...keys, `api:${apiKey}`, `${apiKey}:${apiSecret}`, `\0${apiKey}\0${apiSecret}`].map((key) => Buffer.from(key).toString('base64'));
  const bare = [...encoded, ...keys.map((key) => encodeURIComponent(key)), ...keys].reduce((rest, key) => rest.replaceAll(key, '[key]'), text);
  return bare
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, quotedLengthMax);
}

const quotedLengthMax = 300;
