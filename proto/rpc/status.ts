import { Metadata, status as Status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { catalogue, type ErrorCode } from '../errors/catalogue.ts';
import { SvcError, type ErrorDetails, type Faults } from '../errors/svc-error.ts';

/** A failure as gRPC carries it: the code's status, and all that the public text needs in a trailer. */
export function toStatus(error: SvcError): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(errorKey, Buffer.from(errorText(error)));
  return { code: Status[catalogue[error.code].grpc], details: error.code, metadata };
}

/** The failure that `toStatus` wrote; what the transport itself reports becomes the nearest code. */
export function fromStatus(error: ServiceError, requestId: string): SvcError {
  const carried = readError(error.metadata);
  if (carried !== null) return new SvcError(carried.code, carried.details, error);
  if (error.code === Status.DEADLINE_EXCEEDED) return new SvcError('timed_out', {}, error);
  if (error.code === Status.RESOURCE_EXHAUSTED) return new SvcError('overloaded', {}, error);
  if (awayCodes.has(error.code)) return new SvcError('unavailable', {}, error);
  return new SvcError('internal', { values: { requestId } }, error);
}

const errorKey = 'svc-error-bin';

/** UNAUTHENTICATED without our trailer is a peer that does not take us for a member: for the caller the service is away. */
const awayCodes: ReadonlySet<number> = new Set([Status.UNAVAILABLE, Status.CANCELLED, Status.UNAUTHENTICATED]);

/** HTTP/2 header blocks end at 64 KiB, in base64; what is longer loses fields' faults, never the failure. */
const errorBytesMax = 24 * 1024;

interface CarriedError {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
}

function errorText(error: SvcError): string {
  const whole = JSON.stringify({ code: error.code, details: error.details } satisfies CarriedError);
  if (Buffer.byteLength(whole) <= errorBytesMax) return whole;
  const { data, values, retryAfterS } = error.details;
  const details: ErrorDetails = {
    ...(values === undefined ? {} : { values: shortValues(values) }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(data === undefined ? {} : { data: firstFaults(data, errorBytesMax / 2) }),
  };
  return JSON.stringify({ code: error.code, details } satisfies CarriedError);
}

function shortValues(values: Readonly<Record<string, string | number>>): Record<string, string | number> {
  const charactersMax = 1000;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, charactersMax) : value]));
}

function firstFaults(data: Faults, bytesMax: number): Faults {
  let bytes = 0;
  const kept = Object.entries(data).filter(
    ([field, fault]) => (bytes += Buffer.byteLength(field) + Buffer.byteLength(JSON.stringify(fault))) < bytesMax,
  );
  return Object.fromEntries(kept);
}

function readError(metadata: Metadata | undefined): CarriedError | null {
  const carried = metadata?.get(errorKey)[0];
  if (carried === undefined) return null;
  try {
    const { code, details } = JSON.parse(carried.toString()) as { code: string; details?: ErrorDetails };
    return Object.hasOwn(catalogue, code) ? { code: code as ErrorCode, details: details ?? {} } : null;
  } catch {
    return null;
  }
}
