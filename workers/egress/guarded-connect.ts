import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { connectFailure, EgressError } from './egress-error.ts';
import type { EgressPolicy } from './egress-policy.ts';

/** Asks for all addresses of a name; `node:dns` is one. */
export type Resolve = (name: string, options: { readonly all: true }, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface Guard {
  readonly policy: EgressPolicy;
  readonly resolve: Resolve;
}

/** The machine's own resolver. */
export const systemResolve: Resolve = (name, options, done) => systemLookup(name, options, done);

/**
 * Connects for undici, to allowed addresses only. A name is judged by what it resolves to at the moment of connecting, so that a
 * name whose address changes between check and use gains nothing; a literal address, for which no lookup is made, by itself.
 */
export function guardedConnector(guard: Guard, { timeoutMs }: { readonly timeoutMs: number }): buildConnector.connector {
  const open = buildConnector({ lookup: guardedLookup(guard), timeout: timeoutMs });
  return (options, callback) => {
    const refusal = refusalOf(guard, options.hostname);
    if (refusal !== undefined) return callback(refusal, null);
    open(options, (...[error, socket]) => {
      if (error === null) return callback(null, socket);
      callback(connectFailure(error, { host: options.hostname, isSecure: options.protocol === 'https:' }), null);
    });
  };
}

/** A plain connection to an allowed address; rejects with EgressError when there is none within `timeoutMs`. */
export function guardedSocket(guard: Guard, { host, port, timeoutMs }: SocketTarget): Promise<Socket> {
  const refusal = refusalOf(guard, host);
  if (refusal !== undefined) return Promise.reject(refusal);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: guardedLookup(guard) });
    const timer = setTimeout(() => socket.destroy(new EgressError('timeout', `${host} did not take the connection in time.`)), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(connectFailure(error, { host, isSecure: false }));
    };
    socket.once('error', fail).once('connect', () => {
      clearTimeout(timer);
      // An error before the caller listens for one must not end the process; the socket is closed then, and says so.
      socket.off('error', fail).on('error', () => undefined);
      resolve(socket);
    });
  });
}

export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  /** For name, route and answer together. */
  readonly timeoutMs: number;
}

/** Refuses a literal address that may not be called; a name is for the lookup. */
function refusalOf({ policy }: Guard, host: string): EgressError | undefined {
  return isIP(host) !== 0 && policy.refuses(host) ? refused(host) : undefined;
}

/** Answers the allowed addresses of a name alone, and fails when there is none. */
function guardedLookup({ policy, resolve }: Guard): LookupFunction {
  return (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const allowed = addresses.filter(({ address }) => !policy.refuses(address));
      const [first] = allowed;
      if (first === undefined) return callback(refused(name), []);
      if (options.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

function refused(host: string): EgressError {
  return new EgressError('refused_address', `${host} is at an address that may not be called.`);
}
