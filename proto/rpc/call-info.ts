import type { Metadata } from '@grpc/grpc-js';

/** What travels with every call beside its message: who asks, under which request, for how long. */
export interface CallInfo {
  readonly requestId: string;
  /** The credential as it was presented; empty for a guest. The service judges it. */
  readonly credential?: string;
  /** The caller gives up after this long. */
  readonly timeoutMs?: number;
  /** The Idempotency-Key header; empty when absent. */
  readonly idempotencyKey?: string;
  /** W3C trace context, passed on as it came. */
  readonly traceparent?: string;
}

/** Writes `info` into `metadata`. The deadline travels as gRPC's own `grpc-timeout`. */
export function writeCallInfo(metadata: Metadata, info: CallInfo): Metadata {
  metadata.set(requestIdKey, info.requestId);
  // Binary, because a stranger's credential may hold bytes that no header may.
  if (info.credential) metadata.set(credentialKey, Buffer.from(info.credential));
  if (info.idempotencyKey) metadata.set(idempotencyKeyKey, Buffer.from(info.idempotencyKey));
  if (info.traceparent) metadata.set(traceparentKey, info.traceparent);
  return metadata;
}

/** Reads what `writeCallInfo` wrote; what is missing is empty. */
export function readCallInfo(metadata: Metadata, timeoutMs: number): Required<CallInfo> {
  return {
    requestId: firstText(metadata, requestIdKey),
    credential: firstText(metadata, credentialKey),
    idempotencyKey: firstText(metadata, idempotencyKeyKey),
    traceparent: firstText(metadata, traceparentKey),
    timeoutMs,
  };
}

const requestIdKey = 'svc-request-id';
const credentialKey = 'svc-credential-bin';
const idempotencyKeyKey = 'svc-idempotency-key-bin';
const traceparentKey = 'traceparent';

function firstText(metadata: Metadata, key: string): string {
  return metadata.get(key)[0]?.toString() ?? '';
}
