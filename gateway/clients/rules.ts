import { RulesService } from '../../proto/gen/svc/v1/rules.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

export interface RulesCall {
  readonly params: readonly string[];
  readonly body: Buffer;
  readonly credential: string;
  readonly requestId: string;
}

/** What rules come to, as the store explains it. */
export class RulesClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  async explain({ params, body, credential, requestId }: RulesCall): Promise<Buffer> {
    return (await this.#rpc.unary(RulesService.explain, { collection: params[0] ?? '', body }, { credential, requestId })).body;
  }
}
