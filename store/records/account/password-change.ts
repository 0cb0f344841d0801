import { fail, fault } from '../../../proto/errors/svc-error.ts';
import { presentPasswordLimits } from '../../attempts/password-limits.ts';
import { readPasswordHash, replacePasswordHash } from '../../credentials/account-secrets.ts';
import { isPassword, overlongFault } from '../../credentials/passwords.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { deleteOtherSessions } from '../../sessions/sessions.sql.ts';
import type { RecordDeps } from '../deps.ts';
import type { Run } from '../rules/judge.ts';
import type { RecordShape } from '../shape/shape.ts';

/** A password that may take the place of the present one. */
export interface NewPassword {
  readonly hash: string;
  /** The hash that it replaces; null: there is none. */
  readonly replaces: string | null;
}

export interface PasswordAsked {
  readonly id: string;
  readonly principal: Principal;
  readonly requestId: string;
  readonly password: string;
  /** Its hash, where it has been made beforehand. */
  readonly passwordHash: string | undefined;
  /** `oldPassword` of the body. */
  readonly present: unknown;
}

/** Hashes the first password of a new account. */
export async function firstPassword(deps: Pick<RecordDeps, 'hashing'>, password: string, requestId: string): Promise<NewPassword> {
  return { hash: await deps.hashing.hash(password, requestId), replaces: null };
}

/** Hashes a new password, once the present one has been proven; root and the admin key need not. */
export async function nextPassword(
  deps: Pick<RecordDeps, 'hashing' | 'attempts'>,
  shape: RecordShape,
  asked: PasswordAsked,
  run: Run,
): Promise<NewPassword> {
  const replaces = await readPasswordHash({ execute: run }, { collectionId: shape.collection.id, id: asked.id });
  if (replaces !== null && !isPrivileged(asked.principal)) await requirePresent(deps, shape, asked, replaces);
  return { hash: asked.passwordHash ?? (await deps.hashing.hash(asked.password, asked.requestId)), replaces };
}

async function requirePresent(
  deps: Pick<RecordDeps, 'hashing' | 'attempts'>,
  shape: RecordShape,
  { id, present, requestId }: PasswordAsked,
  hash: string,
): Promise<void> {
  if (typeof present !== 'string') return fail('validation_failed', { data: { oldPassword: fault('required') } });
  const limits = presentPasswordLimits(shape.collection.id, id);
  await deps.attempts.require(limits);
  const isRight = overlongFault(present) === undefined && (await isPassword(deps.hashing, { password: present, hash, requestId }));
  if (!isRight) fail('validation_failed', { data: { oldPassword: fault('wrong_password') } });
  await deps.attempts.forgive(limits);
}

/** Stores the password of an account and ends its other sessions; fails with `write_conflict` where the password has changed meanwhile. */
export async function storePassword(
  tx: Transaction,
  shape: RecordShape,
  input: { readonly id: string; readonly principal: Principal; readonly password: NewPassword },
): Promise<void> {
  const { id, principal, password } = input;
  const collectionId = shape.collection.id;
  if (!(await replacePasswordHash(tx, { collectionId, id }, password))) fail('write_conflict');
  const kept = principal.kind === 'user' || principal.kind === 'root' ? principal.sessionId : '';
  await tx.execute(deleteOtherSessions, [collectionId, id, kept]);
}
