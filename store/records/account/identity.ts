import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { RecordDeps } from '../deps.ts';
import type { Run } from '../rules/judge.ts';
import type { RecordShape } from '../shape/shape.ts';
import { selectIdentity } from '../statements/account.sql.ts';

/** An account as a sign-in finds it. */
export interface Identity {
  readonly id: string;
  /** The record as its owner sees it. */
  readonly document: string;
  /** Null: it has no password. */
  readonly passwordHash: string | null;
}

/** The account of a username or an e-mail address, ignoring case; no username has an @. */
export function readIdentity({ database }: Pick<RecordDeps, 'database'>, shape: RecordShape, identity: string): Promise<Identity | undefined> {
  return readBy((statement, values) => database.query(statement, values), shape, identity);
}

/** The same, as a transaction sees it. */
export function readIdentityIn(tx: Transaction, shape: RecordShape, identity: string): Promise<Identity | undefined> {
  return readBy((statement, values) => tx.execute(statement, values), shape, identity);
}

async function readBy(run: Run, shape: RecordShape, identity: string): Promise<Identity | undefined> {
  const by = identity.includes('@') ? 'email' : 'username';
  const statement = shape.compiled.get(`identity ${by}`, () => selectIdentity(shape, by));
  const [row] = await run(statement, [shape.schema.version, identity]);
  const [version, id, document, passwordHash] = row ?? [];
  if (version !== shape.schema.version) throw new StaleCatalogue();
  return id === null || id === undefined ? undefined : { id, document: document ?? '', passwordHash: passwordHash ?? null };
}
