import type { RecordDeps } from '../records/deps.ts';
import type { Tokens } from './tokens.ts';

/** What signing in and out stands on. */
export interface AuthDeps {
  readonly records: RecordDeps;
  readonly tokens: Tokens;
}

/** A request about an auth collection. */
export interface AuthRequest {
  readonly collection: string;
  /** As sent; parsed by the use case. */
  readonly body: Uint8Array;
  readonly requestId: string;
}
