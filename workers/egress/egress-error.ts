/** Why nothing, or nothing of use, came back. */
export type EgressReason = 'refused_address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'protocol';

/** A call that failed. The message is a sentence for the owner of the address: it names the host at most, no path and no query. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** What went wrong before there was a connection to `host`, by the code and the system call of Node's error. */
export function connectFailure(error: Error, { host, isSecure }: { readonly host: string; readonly isSecure: boolean }): EgressError {
  if (error instanceof EgressError) return error;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall?.startsWith('getaddrinfo') === true) return new EgressError('dns', `The name ${host} could not be resolved.`, error);
  if (timeoutCodes.has(code)) return new EgressError('timeout', `${host} did not take the connection in time.`, error);
  const isBeforeTls = syscall === 'connect' || error instanceof AggregateError;
  if (!isSecure || isBeforeTls) return new EgressError('connect', `${host} does not take connections${inParentheses(code)}.`, error);
  return new EgressError('tls', `No secure connection to ${host} came about${inParentheses(code)}.`, error);
}

/** What went wrong once there was a connection. */
export function exchangeFailure(error: unknown, host: string): EgressError {
  if (error instanceof EgressError) return error;
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';
  return new EgressError('protocol', `The answer of ${host} broke off or was not HTTP${inParentheses(code)}.`, error);
}

const timeoutCodes: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

function inParentheses(code: string): string {
  return code === '' ? '' : ` (${code})`;
}
