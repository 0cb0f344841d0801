import type { Transaction } from '../../postgres/transaction.ts';
import type { AccountKey } from '../../credentials/account-secrets.ts';
import type { AuthDeps } from '../deps.ts';
import { holdFactor, useFactor } from './second-factor.sql.ts';
import { stepOfCode } from './totp.ts';

/** An account's authenticator app, held until the transaction ends. */
export interface HeldFactor {
  readonly secret: Buffer;
  readonly isConfirmed: boolean;
  readonly lastStep: number;
  readonly recoveryDigests: readonly string[];
}

/** Undefined where the account has none. */
export async function holdSecondFactor(deps: AuthDeps, tx: Transaction, { collectionId, id }: AccountKey): Promise<HeldFactor | undefined> {
  const [row] = await tx.execute(holdFactor, [collectionId, id]);
  if (row === undefined) return undefined;
  const [sealed, isConfirmed, step, recovery] = row;
  const secret = deps.seal.open(Buffer.from(sealed ?? '', 'hex'), contextOf({ collectionId, id }));
  if (secret === undefined) throw new TypeError(`the second factor of ${id} cannot be opened: it was sealed under another key or has been changed`);
  return {
    secret: Buffer.from(secret, 'hex'),
    isConfirmed: isConfirmed === 'true',
    lastStep: Number(step),
    recoveryDigests: JSON.parse(recovery ?? '[]') as string[],
  };
}

/** Whether a code of the app, or a recovery code, is right; it is used up. A code of a step that was taken before is no code. */
export async function useCode(deps: AuthDeps, tx: Transaction, account: AccountKey, factor: HeldFactor, code: string): Promise<boolean> {
  const used = usedBy(deps, account, factor, code);
  if (used === undefined) return false;
  await tx.execute(useFactor, [account.collectionId, account.id, String(used.lastStep), JSON.stringify(used.recoveryDigests)]);
  return true;
}

function usedBy(deps: AuthDeps, account: AccountKey, factor: HeldFactor, code: string): Pick<HeldFactor, 'lastStep' | 'recoveryDigests'> | undefined {
  const { lastStep, recoveryDigests, secret } = factor;
  const step = /^\d{6}$/.test(code) ? stepOfCode(secret, code, deps.records.clock.now()) : undefined;
  if (step !== undefined) return step > lastStep ? { lastStep: step, recoveryDigests } : undefined;
  const spoken = recoveryForm(code);
  const found = recoveryDigests.find((digest) => deps.codes.isOf(digest, contextOf(account), spoken));
  return found === undefined ? undefined : { lastStep, recoveryDigests: recoveryDigests.filter((digest) => digest !== found) };
}

/** However it was typed. */
export function recoveryForm(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

export function contextOf({ collectionId, id }: AccountKey): string {
  return `totp ${collectionId}/${id}`;
}
