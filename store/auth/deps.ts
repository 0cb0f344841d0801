import type { RecordDeps } from '../records/deps.ts';
import type { SigningKeys } from './keys/signing-keys.ts';
import type { Tokens } from './keys/tokens.ts';

/** What accounts and sessions stand on. */
export interface AuthDeps {
  readonly records: RecordDeps;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
}

/** How long a step of signing in may wait for a row that somebody else has. */
export function authTransaction(label: string) {
  return { label, lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;
}
