import { SvcError, type Faults } from './svc-error.ts';

/** The error body of every JSON answer (CONTRACT section 1). */
export interface Problem {
  readonly code: number;
  readonly message: string;
  readonly data: Faults;
}

/** Seconds that a 503 asks the client to wait when nothing better is known. */
const retryAfterDefaultS = 1;

/** Any thrown value as the failure it is for the caller: what is not ours to tell becomes `internal`. */
export function asSvcError(thrown: unknown, requestId: string): SvcError {
  if (thrown instanceof SvcError) return thrown;
  return new SvcError('internal', { values: { requestId } }, thrown);
}

/** The body's text for `error`. */
export function problemText(error: SvcError): string {
  const problem: Problem = { code: error.status, message: error.message, data: error.details.data ?? {} };
  return JSON.stringify(problem);
}

/** Seconds for the Retry-After header, 0 where none belongs. */
export function retryAfterS(error: SvcError): number {
  if (error.details.retryAfterS !== undefined) return error.details.retryAfterS;
  return error.status === 503 ? retryAfterDefaultS : 0;
}
