import type { JobHandler } from '../jobs/job-runner.ts';
import { MailError, type Mail, type MailSettings } from './message.ts';
import type { MailDeps } from './provider.ts';
import { sendMail } from './send-mail.ts';

/** Does the jobs of the queue `mail`. */
export function mailJobs(deps: MailDeps): JobHandler {
  return async ({ payload }, signal) => {
    const { mail, settings } = payload as { readonly mail: Mail; readonly settings: MailSettings };
    try {
      await sendMail(deps, mail, settings, signal);
      return { kind: 'done' };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return error.retry === 'never'
        ? { kind: 'failed', error: error.message }
        : { kind: 'later', error: error.message, retryAfterS: error.retryAfterS };
    }
  };
}
