import type { Transaction } from '../postgres/transaction.ts';
import type { Identity } from '../records/account/identity.ts';
import { lockStored } from '../records/lock-stored.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import { rowValues } from '../records/view.ts';

/** The address of an account, and whether it has been proven. */
export interface AccountEmail {
  readonly email: string;
  readonly isVerified: boolean;
}

export function emailOf({ document }: Pick<Identity, 'document'>): AccountEmail {
  const { email, verified } = rowValues(document);
  return { email: typeof email === 'string' ? email : '', isVerified: verified === true };
}

/** The address of an account whose record is locked until `tx` ends. */
export async function lockEmail(tx: Transaction, shape: RecordShape, id: string): Promise<AccountEmail> {
  return emailOf(await lockStored(tx, shape, id));
}

export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
