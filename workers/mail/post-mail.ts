import { SvcError } from '../../proto/errors/svc-error.ts';
import type { EgressAnswer } from '../egress/egress-client.ts';
import { EgressError } from '../egress/egress-error.ts';
import { retryAfterS } from '../egress/retry-after.ts';
import { MailError } from './mail-error.ts';
import { withoutKeys, type MailSettings } from './mail-settings.ts';
import type { Mail } from './message.ts';
import { textIn, type HttpProvider, type MailDeps, type ProviderAnswer, type SentMail } from './provider.ts';

/** Hands a mail over by one POST; rejects with MailError. */
export async function postMail(deps: MailDeps, { provider, mail, settings }: PostMail): Promise<SentMail> {
  const { url, headers, body } = await provider.request(mail, settings, deps.clock);
  const post = { method: 'POST', url, headers: { ...headers, 'user-agent': userAgent }, body, timeoutMs: deps.timeoutMs, bytesMax };
  const received = await deps.egress.request(post).catch((error: unknown) => {
    throw undelivered(error);
  });
  const answer: ProviderAnswer = { status: received.status, headers: received.headers, json: jsonOf(received) };
  if (answer.status >= 200 && answer.status < 300) return { providerId: provider.accepted(answer, mail) };
  throw refusal(deps, { provider, answer, settings });
}

export interface PostMail {
  readonly provider: HttpProvider;
  readonly mail: Mail;
  readonly settings: MailSettings;
}

/** What egress failed with, for the mail: an address that may not be called stays one, everything else on the way to a provider passes. */
export function undelivered(error: unknown): unknown {
  if (error instanceof EgressError) return new MailError(error.reason === 'refused_address' ? 'never' : 'later', error.message, { cause: error });
  return error instanceof SvcError ? new MailError('later', error.message, { cause: error }) : error;
}

/** Resend refuses whoever does not say what it is. */
const userAgent = 'svc';

/** Of a provider's answer. */
const bytesMax = 64 * 1024;

function refusal(
  { clock }: MailDeps,
  { provider, answer, settings }: { readonly provider: HttpProvider; readonly answer: ProviderAnswer; readonly settings: MailSettings },
): MailError {
  const reason = withoutKeys(reasonIn(answer.json), settings);
  const message = `${settings.provider} answered ${answer.status}${reason === '' ? '' : `: ${reason}`}`;
  if (!isPassing(answer) && provider.isPassing?.(answer) !== true) return new MailError('never', message);
  const waitS = retryAfterS(answer.headers, clock.now());
  return new MailError('later', message, waitS === undefined ? {} : { retryAfterS: waitS });
}

/** 408 and 429 ask to come again, 5xx is the provider's own trouble. */
function isPassing({ status }: ProviderAnswer): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function jsonOf({ body }: EgressAnswer): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
}

/** What the providers say: `message`, `Message`, or the first of `errors`. */
function reasonIn(json: Readonly<Record<string, unknown>>): string {
  const [first] = Array.isArray(json['errors']) ? (json['errors'] as unknown[]) : [];
  return textIn(json, 'message') || textIn(json, 'Message') || textIn(isObject(first) ? first : {}, 'message');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
