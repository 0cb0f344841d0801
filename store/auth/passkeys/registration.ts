import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { fail } from '../../../proto/errors/svc-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import type { AuthDeps } from '../deps.ts';
import type { AnsweredChallenge } from './challenge.ts';
import { passkeyLibrary } from './library.ts';
import { insertPasskey } from './passkeys.sql.ts';
import { relyingParty } from './relying-party.ts';

export interface Registration {
  /** The account's record, which the authenticator keeps. */
  readonly accountId: string;
  /** What the browser shows. */
  readonly userName: string;
  /** Passkeys that the account has: an authenticator that holds one makes no other. */
  readonly present: readonly string[];
}

/** Options by which a browser has a passkey made (Web Authentication, 5.4). */
export async function registrationOptions(deps: AuthDeps, { accountId, userName, present }: Registration) {
  const party = await relyingParty(deps.settings);
  const { generateRegistrationOptions } = await passkeyLibrary();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName,
    userID: new TextEncoder().encode(accountId),
    timeout: 300_000,
    attestationType: 'none',
    excludeCredentials: present.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** A passkey whose making was verified. */
export interface NewPasskey {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly isBackedUp: boolean;
}

/** Verifies what the authenticator has made (Web Authentication, 7.1); fails with `passkey_refused`. */
export async function verifiedPasskey(deps: AuthDeps, { challenge, answer }: AnsweredChallenge): Promise<NewPasskey> {
  const party = await relyingParty(deps.settings);
  const response = answer as unknown as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await passkeyLibrary();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch((error: unknown) => fail('passkey_refused', {}, error));
  if (registrationInfo === undefined) return fail('passkey_refused');
  const { credential, credentialBackedUp } = registrationInfo;
  const { id, publicKey, counter, transports = [] } = credential;
  return { id, publicKey, counter, transports, name: answer.name ?? 'Passkey', isBackedUp: credentialBackedUp };
}

/** Gives the passkey to an account; fails with `passkey_refused` where somebody has it already. */
export async function storePasskey(tx: Transaction, { collection }: RecordShape, accountId: string, passkey: NewPasskey): Promise<void> {
  const { id, publicKey, counter, transports, name, isBackedUp } = passkey;
  const key = Buffer.from(publicKey).toString('hex');
  const values = [id, collection.id, accountId, key, String(counter), JSON.stringify(transports), name, String(isBackedUp)];
  if ((await tx.execute(insertPasskey, values)).length === 0) fail('passkey_refused');
}
