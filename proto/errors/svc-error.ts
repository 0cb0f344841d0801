import { catalogue, faults, type ErrorCode, type FaultCode } from './catalogue.ts';

/** What is wrong with one field, as it stands in the error body's `data`. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
}

export type Faults = Readonly<Record<string, Fault>>;

/** What fills the placeholders of a public text, and what rides along with it. */
export interface ErrorDetails {
  readonly values?: Readonly<Record<string, string | number>>;
  readonly data?: Faults;
  readonly retryAfterS?: number;
  /** The part of the request that failed, where it has several: stands before the text. */
  readonly part?: string;
}

/** A failure the caller is told of. Our own mistakes are ordinary errors and become `internal` at the door. */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, cause?: unknown) {
    super(`${details.part === undefined ? '' : `${details.part}: `}${fill(catalogue[code].text, details.values)}`, { cause });
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return catalogue[this.code].status;
  }
}

/** Throws the failure `code`; the declared return type lets callers write `return fail(...)`. */
export function fail(code: ErrorCode, details?: ErrorDetails, cause?: unknown): never {
  throw new SvcError(code, details, cause);
}

/** One field's fault, its text filled in. */
export function fault(code: FaultCode, values?: Readonly<Record<string, string | number>>): Fault {
  return { code, message: fill(faults[code], values) };
}

function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
