import { HashingService } from '../../proto/gen/svc/v1/hashing.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** Password hashes, made and compared by the workers; fails with `overloaded` while they have their fill, `unavailable` while there are none. */
export class HashingClient {
  readonly cost: () => Promise<number>;
  readonly #rpc: RpcClient;

  /** `cost`: that of new hashes. */
  constructor(rpc: RpcClient, cost: () => Promise<number>) {
    this.#rpc = rpc;
    this.cost = cost;
  }

  /** A bcrypt hash with a salt of its own. */
  async hash(password: string, requestId: string): Promise<string> {
    return (await this.#rpc.unary(HashingService.hashPassword, { password, cost: await this.cost() }, { requestId })).hash;
  }

  async verify(password: string, hash: string, requestId: string): Promise<boolean> {
    return (await this.#rpc.unary(HashingService.verifyPassword, { password, hash }, { requestId })).matches;
  }
}
