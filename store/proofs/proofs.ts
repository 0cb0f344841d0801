import { createHash } from 'node:crypto';
import type { Ids } from '../../proto/values/ids.ts';
import type { Database } from '../postgres/database.ts';
import type { TextRow } from '../postgres/connection.ts';
import type { Statement } from '../postgres/sql.ts';
import { attemptProof, dropProofs, forgetProofs, insertProof, redeemProof, selectProof } from './proofs.sql.ts';

export type ProofKind =
  | 'password-reset'
  | 'verification'
  | 'email-change'
  | 'otp'
  | 'setup'
  | 'passkey-sign-up'
  | 'passkey-sign-in'
  | 'passkey-add'
  | 'oauth-state'
  | 'oauth-code'
  | 'mfa';

export interface ProofIssue {
  readonly kind: ProofKind;
  readonly collectionId: string | null;
  readonly record: string | null;
  /** The address that it is sent to. */
  readonly email: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly lifetimeS: number;
  readonly attempts?: number;
}

/** What a proof that was good stands for. */
export interface Proof {
  readonly collectionId: string;
  readonly record: string;
  readonly email: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Runs statements: on the shared connections, or in a transaction. */
export interface ProofRunner {
  execute(statement: Statement, values: readonly (string | null)[]): Promise<readonly TextRow[]>;
}

const tokenBytes = 32;

/** Keeps what is given out to prove something once; only a digest of it, so that who reads the database can use none. */
export class Proofs {
  readonly #ids: Pick<Ids, 'bytes'>;

  constructor(ids: Pick<Ids, 'bytes'>) {
    this.#ids = ids;
  }

  /** A fresh token for `issue`: 43 characters of base64url. */
  async issue(runner: ProofRunner, issue: ProofIssue): Promise<string> {
    const token = this.#ids.bytes(tokenBytes).toString('base64url');
    await this.keep(runner, token, issue);
    return token;
  }

  /** Keeps a proof under a key of the caller's; one that is kept under it already gives way. */
  async keep(runner: ProofRunner, key: string, issue: ProofIssue): Promise<void> {
    const { kind, collectionId, record, email, data = {}, attempts = 1, lifetimeS } = issue;
    await runner.execute(insertProof, [kind, digestOf(key), collectionId, record, email, JSON.stringify(data), String(attempts), String(lifetimeS)]);
  }

  /** Uses a proof up; of several that try at once one gets it. */
  async redeem(runner: ProofRunner, kind: ProofKind, token: string): Promise<Proof | undefined> {
    return proofOf(await runner.execute(redeemProof, [kind, digestOf(token)]));
  }

  /** Looks at a proof without using it up. */
  async look(runner: ProofRunner, kind: ProofKind, token: string): Promise<Proof | undefined> {
    return proofOf(await runner.execute(selectProof, [kind, digestOf(token)]));
  }

  /** Counts an attempt at a proof; undefined where there is none, or it has had its fill of them. */
  async attempt(runner: ProofRunner, kind: ProofKind, key: string): Promise<Proof | undefined> {
    return proofOf(await runner.execute(attemptProof, [kind, digestOf(key)]));
  }

  /** Takes back all of one kind that an account was given. */
  async drop(runner: ProofRunner, kind: ProofKind, account: { readonly collectionId: string; readonly id: string }): Promise<void> {
    await runner.execute(dropProofs, [kind, account.collectionId, account.id]);
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function proofOf([row]: readonly TextRow[]): Proof | undefined {
  if (row === undefined) return undefined;
  const [collectionId, record, email, data] = row;
  return {
    collectionId: collectionId ?? '',
    record: record ?? '',
    email: email ?? '',
    data: JSON.parse(data ?? '{}') as Proof['data'],
  };
}

/** Forgets some of those that have expired; answers how many. */
export async function forgetOldProofs(database: Pick<Database, 'query'>): Promise<number> {
  return (await database.query(forgetProofs, [])).length;
}
