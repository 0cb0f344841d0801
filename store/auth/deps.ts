import type { RecordDeps } from '../records/deps.ts';
import type { SigningKeys } from './keys/signing-keys.ts';
import type { Tokens } from './keys/tokens.ts';

/** What accounts and sessions stand on. */
export interface AuthDeps {
  readonly records: RecordDeps;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
}

/** A request about accounts. */
export interface AuthRequest {
  /** The parameters of the path; the auth collection first, where it names one. */
  readonly params: readonly string[];
  readonly query: string;
  /** As sent; parsed by the use case. */
  readonly body: Uint8Array;
  /** The header lines, `name: value` each. */
  readonly headers: string;
  readonly clientAddress: string;
  readonly requestId: string;
}

/** An answer, ready to be sent. */
export interface AuthAnswer {
  readonly status: number;
  /** JSON text; empty where there is no body. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const nothing: AuthAnswer = { status: 204, body: '' };

/** How long a step of signing in may wait for a row that somebody else has. */
export function authTransaction(label: string) {
  return { label, lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;
}
