import assert from 'node:assert/strict';
import type { EgressClient } from '../../../workers/egress/egress-client.ts';
import { MailError } from '../../../workers/mail/mail-error.ts';
import type { MailSettings } from '../../../workers/mail/mail-settings.ts';
import type { Mail } from '../../../workers/mail/message.ts';
import type { MailDeps } from '../../../workers/mail/provider.ts';

export const mail: Mail = {
  to: 'bob@example.org',
  from: { address: 'hello@shop.example', name: 'Shop "Süd"' },
  subject: 'Grüße & more',
  text: 'Plain ü text.\nSecond line.',
  html: '<p>Rich ü text.</p>',
  id: '019a0000-0000-7000-8000-000000000001',
};

export const empty: Omit<MailSettings, 'provider'> = { apiKey: '', apiSecret: '', domain: '', region: '', endpoint: '' };

/** The instant at which every mail of these tests is sent. */
export const nowMs = Date.parse('2026-11-21T12:00:00.123Z');

/** The line of the log, when one was written. */
export interface Written {
  readonly lines: unknown[];
}

export function depsWith(egress: EgressClient, written: Written = { lines: [] }): MailDeps {
  return { egress, clock: { now: () => nowMs }, timeoutMs: 5_000, log: { info: (...line: unknown[]) => void written.lines.push(line) } };
}

export async function failureOf(work: Promise<unknown>): Promise<MailError> {
  const thrown: unknown = await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof MailError, String(thrown));
  return thrown;
}
