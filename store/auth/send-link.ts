import type { MailKind } from '../../proto/schema/mail-template.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import type { AuthDeps } from './deps.ts';
import { inTransaction } from './transaction.ts';
import type { ProofKind } from '../proofs/proofs.ts';

export interface LinkMail {
  readonly kind: MailKind & ProofKind;
  /** The page that the link opens. */
  readonly page: string;
  /** Undefined: there is no such account. The same is done for nobody, and undone, so that time tells nothing. */
  readonly accountId: string | undefined;
  readonly to: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** More that is done with it. */
  readonly also?: (tx: Transaction) => Promise<void>;
}

const lifetimeS = 1_800;

/** Mails a link by which whoever reads the mail proves it, once, within half an hour. */
export async function sendLink(deps: AuthDeps, shape: RecordShape, { kind, page, accountId, to, data = {}, also }: LinkMail): Promise<void> {
  const collectionId = shape.collection.id;
  const work = async (tx: Transaction): Promise<void> => {
    const token = await deps.proofs.issue(tx, { kind, collectionId, record: accountId ?? null, email: to, data, lifetimeS });
    const link = await deps.mailer.actionUrl(page, { svc: shape.collection.name, token });
    await deps.mailer.send(tx, { kind, collectionId, to, values: { ACTION_URL: link, TOKEN: token, MINUTES: String(lifetimeS / 60) } });
    await also?.(tx);
    if (accountId === undefined) throw new ForNobody();
  };
  await inTransaction(deps, shape, `mail.${kind}`, work).catch(unlessForNobody);
}

/** Rolls back what was done for nobody. */
class ForNobody extends Error {
  override readonly name = 'ForNobody';
}

function unlessForNobody(error: unknown): void {
  if (!(error instanceof ForNobody)) throw error;
}
