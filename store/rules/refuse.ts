import { fail } from '../../proto/errors/svc-error.ts';

/** Ends the work on an expression: `reason` completes the sentence "The expression is not valid at character n: ...". */
export function refuse(position: number, reason: string): never {
  return fail('bad_filter', { values: { position, reason } });
}
