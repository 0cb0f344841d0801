import type { RecordRequest } from './deps.ts';

/** What every record write brings beside the request itself. */
export interface WriteRequest extends RecordRequest {
  /** As sent; parsed by the use case. */
  readonly body: Uint8Array;
  /** The If-Match header, empty when absent. */
  readonly ifMatch: string;
  /** The Idempotency-Key header, empty when absent. */
  readonly idempotencyKey: string;
  /** The id of the new record, where the body gives none. */
  readonly madeId?: string;
  /** Of the password in the body, where it has been made beforehand. */
  readonly passwordHash?: string | undefined;
  /** A sign-up by another way than a password: none is needed. */
  readonly signUp?: { readonly isVerified: boolean };
}
