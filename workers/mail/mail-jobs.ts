import type { JobHandler } from '../jobs/job-runner.ts';
import { MailError } from './mail-error.ts';
import type { MailSettings } from './mail-settings.ts';
import type { Mail } from './message.ts';
import type { MailDeps } from './provider.ts';
import { sendMail } from './send-mail.ts';

/** What a job of the queue `mail` holds; without a provider no mail is sent yet. */
interface MailJob {
  readonly mail: Mail;
  readonly settings: Omit<MailSettings, 'provider'> & { readonly provider: MailSettings['provider'] | null };
}

/** Does the jobs of the queue `mail`. */
export function mailJobs(deps: MailDeps): JobHandler {
  return async ({ payload }) => {
    const { mail, settings } = payload as MailJob;
    const { provider } = settings;
    if (provider === null)
      return { kind: 'later', error: 'No mail is sent until mail.provider of the settings, or EMAIL_PROVIDER, says by whom.', retryAfterS: 0 };
    if (mail.from.address === '')
      return {
        kind: 'later',
        error: 'No mail is sent until mail.fromAddress of the settings, or EMAIL_FROM_ADDRESS, says from whom.',
        retryAfterS: 0,
      };
    try {
      await sendMail(deps, mail, { ...settings, provider });
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return error.retry === 'never'
        ? { kind: 'failed', error: error.message }
        : { kind: 'later', error: error.message, retryAfterS: error.retryAfterS ?? 0 };
    }
  };
}
