import { AuthService, type AuthReply } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** A request about accounts. */
export interface AuthCall {
  /** The auth collection first, where the path names one. */
  readonly params: readonly string[];
  readonly query: string;
  readonly body: Buffer;
  /** Empty for a guest. */
  readonly credential: string;
  readonly requestId: string;
  /** Lines of `name: value`. */
  readonly headers: string;
  readonly clientAddress: string;
}

export type AuthOperation = (call: AuthCall) => Promise<AuthReply>;

/** Accounts, sessions and keys, one unary call each; a refusal arrives as the SvcError that the store threw. */
export type AuthClient = { readonly [Name in keyof typeof AuthService]: AuthOperation };

export function authClient(rpc: RpcClient): AuthClient {
  const operations = Object.entries(AuthService).map(([name, method]): [string, AuthOperation] => [
    name,
    ({ params, query, body, credential, requestId, headers, clientAddress }) =>
      rpc.unary(method, { params: [...params], query, body, headers, clientAddress }, { credential, requestId }),
  ]);
  return Object.fromEntries(operations) as AuthClient;
}
