// Sends the mail of the fixture with the settings given as JSON, and prints what came of it. A process of its own, because Node
// reads NODE_EXTRA_CA_CERTS when it starts.
import { EgressClient } from '../../../workers/egress/egress-client.ts';
import { MailError } from '../../../workers/mail/mail-error.ts';
import type { MailSettings } from '../../../workers/mail/mail-settings.ts';
import { sendMail } from '../../../workers/mail/send-mail.ts';
import { depsWith, mail } from './mail-fixture.ts';

const settings = JSON.parse(process.argv[2] ?? '') as MailSettings;
await using egress = new EgressClient({ allowPrivate: true });

const outcome = await sendMail(depsWith(egress), mail, settings).catch((error: unknown) => {
  if (error instanceof MailError) return { retry: error.retry, message: error.message };
  throw error;
});

process.stdout.write(JSON.stringify(outcome));
