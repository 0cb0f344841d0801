import { EgressError } from './egress-error.ts';

/**
 * What `work` comes to. Rejects with EgressError when its time is over, and with the reason of the caller's signal when that
 * aborts, at once: undici tells a request that still waits for a connection of no signal, it only never sends it.
 */
export async function withinDeadline<Result>({ timeoutMs, host, signal }: Deadline, work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error)));
  const timer = setTimeout(() => stop.abort(new EgressError('timeout', `${host} did not answer within ${timeoutMs} ms.`)), timeoutMs);
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work(stop.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export interface Deadline {
  readonly timeoutMs: number;
  /** Whom the message names. */
  readonly host: string;
  readonly signal: AbortSignal | undefined;
}
