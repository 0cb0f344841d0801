import type { MailKind, MailTemplate } from '../../proto/schema/mail-template.ts';
import type { ClaimedJob, Jobs } from '../jobs/jobs.ts';
import type { Statement } from '../postgres/sql.ts';
import type { TextRow } from '../postgres/connection.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Settings } from '../settings/settings.ts';
import { defaultTemplates } from './default-templates.ts';
import { escapeHtml, renderTemplate, type MailValues } from './render.ts';
import { selectTemplates } from './templates.sql.ts';

export interface MailToAccount {
  readonly kind: MailKind;
  /** Of the auth collection. */
  readonly collectionId: string;
  readonly to: string;
  readonly values: MailValues;
}

/** What a mail job holds. */
interface MailPayload extends MailTemplate {
  readonly to: string;
}

/** Writes mail and puts it into the queue; a worker sends it once the transaction has committed. */
export class Mailer {
  readonly #jobs: Jobs;
  readonly #settings: Settings;

  constructor(jobs: Jobs, settings: Settings) {
    this.#jobs = jobs;
    this.#settings = settings;
  }

  async send(tx: Transaction, { kind, collectionId, to, values }: MailToAccount): Promise<void> {
    const { app } = (await this.#settings.current()).values;
    const template = (await readTemplates((statement, given) => tx.execute(statement, given), collectionId)).get(kind) ?? defaultTemplates[kind];
    const mail = renderTemplate(template, { APP_NAME: app.name, APP_URL: app.publicUrl, EMAIL: to, ...values });
    await this.#jobs.add(tx, { queue: 'mail', title: `${kind} to ${to}`, payload: { to, ...mail } satisfies MailPayload });
  }

  /** A mail that says nothing but that it has come. */
  async sendTest(tx: Transaction, to: string): Promise<void> {
    const { name } = (await this.#settings.current()).values.app;
    const text = `This mail shows that ${name} can send mail.`;
    const html = `<p>${escapeHtml(text)}</p>`;
    await this.#jobs.add(tx, { queue: 'mail', title: `test to ${to}`, payload: { to, subject: text, text, html } satisfies MailPayload });
  }

  /** The address that people open to do what a mail asks for. */
  async actionUrl(page: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const { publicUrl } = (await this.#settings.current()).values.app;
    return `${publicUrl.replace(/\/+$/, '')}/_svc_/${page}?${new URLSearchParams(parameters).toString()}`;
  }

  /** A mail as the worker sends it: from whom and how is decided at the last moment, so that a corrected setting helps what waits. */
  async readied({ id, payload }: ClaimedJob): Promise<object> {
    const { mail } = (await this.#settings.current()).values;
    const { fromAddress, fromName, provider, ...access } = mail;
    const message = {
      id,
      from: { address: fromAddress ?? (provider === 'console' ? 'svc@localhost' : ''), name: fromName },
      ...(payload as MailPayload),
    };
    return { mail: message, settings: { provider, ...access } };
  }
}

/** The templates that a collection has of its own, by kind. */
export async function readTemplates(
  run: (statement: Statement, values: readonly string[]) => Promise<readonly TextRow[]>,
  collectionId: string,
): Promise<ReadonlyMap<string, MailTemplate>> {
  const rows = await run(selectTemplates, [collectionId]);
  return new Map(rows.map(([kind, subject, text, html]) => [kind ?? '', { subject: subject ?? '', text: text ?? '', html: html ?? '' }]));
}
