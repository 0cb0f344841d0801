import { fail } from '../../../proto/errors/svc-error.ts';
import { headerOf, type HttpCall } from '../../../proto/schema/http-call.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { PasskeyAnswer } from '../../../proto/schema/passkeys.ts';
import type { Proof, ProofKind } from '../../proofs/proofs.ts';
import { readParameters } from '../../records/parameters.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import type { AuthDeps } from '../deps.ts';
import { guessLimits } from '../mail-limits.ts';
import { inTransaction } from '../transaction.ts';

const lifetimeS = 300;

type ChallengeKind = Extract<ProofKind, `passkey-${string}`>;

/** What is kept of a ceremony until the authenticator has answered. */
export interface Challenge {
  readonly kind: ChallengeKind;
  /** Of whom the passkey is, where that is known. */
  readonly record: string | null;
  readonly data: Readonly<Record<string, unknown>> & { readonly challenge: string };
}

/** Keeps a challenge, good once for five minutes; answers the session token by which it is found again. */
export function keepChallenge(deps: AuthDeps, shape: RecordShape, { kind, record, data }: Challenge): Promise<string> {
  const collectionId = shape.collection.id;
  return inTransaction(deps, shape, `${kind}.options`, (tx) => deps.proofs.issue(tx, { kind, collectionId, record, email: null, data, lifetimeS }));
}

export interface AnsweredChallenge {
  readonly proof: Proof;
  readonly challenge: string;
  readonly answer: PasskeyAnswer;
}

/**
 * The challenge that a call answers, used up by it, good answer or bad; fails with `passkey_refused` where there is none. It is
 * taken before anything else is looked at, once, however often the rest has to be tried.
 */
export async function takeChallenge({ records, proofs }: AuthDeps, kind: ChallengeKind, call: HttpCall): Promise<AnsweredChallenge> {
  const answer = readBody(PasskeyAnswer, call.body);
  await records.attempts.require(guessLimits(call.clientAddress));
  const token = answer.sessionToken ?? (headerOf(call, 'x-session-token') || readParameters(call.query).get('sessionToken')) ?? '';
  const options = { label: `${kind}.verify`, lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
  const proof = await records.database.transaction(options, (tx) => proofs.redeem(tx, kind, token));
  return proof === undefined ? fail('passkey_refused') : { proof, challenge: String(proof.data['challenge']), answer };
}

/** Fails with `passkey_refused` where the challenge was given for accounts of another collection. */
export function requireSameAccounts({ proof }: AnsweredChallenge, { collection }: RecordShape): void {
  if (proof.collectionId !== collection.id) fail('passkey_refused');
}
