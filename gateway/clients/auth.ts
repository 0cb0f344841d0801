import { AuthService } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** A request about an auth collection. */
export interface AuthCall {
  readonly params: readonly string[];
  readonly body: Buffer;
  /** Empty for a guest. */
  readonly credential: string;
  readonly requestId: string;
}

/** Signing in and out, one unary call each; a refusal arrives as the SvcError that the store threw. */
export class AuthClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  async signInWithPassword(call: AuthCall): Promise<Buffer> {
    return (await this.#rpc.unary(AuthService.signInWithPassword, requestOf(call), infoOf(call))).body;
  }

  async signOut(call: AuthCall): Promise<void> {
    await this.#rpc.unary(AuthService.signOut, requestOf(call), infoOf(call));
  }
}

function requestOf({ params, body }: AuthCall) {
  return { collection: params[0] ?? '', body };
}

function infoOf({ credential, requestId }: AuthCall) {
  return { credential, requestId };
}
