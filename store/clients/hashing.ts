import { HashingService } from '../../proto/gen/svc/v1/hashing.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** Password hashes, made and compared by the workers; fails with `overloaded` while they have their fill, `unavailable` while there are none. */
export class HashingClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** A bcrypt hash with a salt of its own. */
  async hash(password: string, requestId: string): Promise<string> {
    return (await this.#rpc.unary(HashingService.hashPassword, { password, cost: workersChoice }, { requestId })).hash;
  }

  async verify(password: string, hash: string, requestId: string): Promise<boolean> {
    return (await this.#rpc.unary(HashingService.verifyPassword, { password, hash }, { requestId })).matches;
  }
}

const workersChoice = 0;
