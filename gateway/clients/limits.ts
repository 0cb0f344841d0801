import { LimitsService } from '../../proto/gen/svc/v1/limits.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** A rule of the settings. */
export interface LimitRule {
  readonly label: string;
  readonly maxRequests: number;
  readonly intervalS: number;
  readonly audience: string;
}

export interface Taking {
  readonly key: string;
  readonly want: number;
  readonly rule: LimitRule;
  /** As it was presented; the admin key is never limited. */
  readonly credential: string;
  readonly requestId: string;
}

export interface Taken {
  readonly granted: number;
  /** Seconds until the window ends. */
  readonly resetS: number;
  readonly isAdmin: boolean;
}

/** How often clients may ask, counted by the stores. */
export class LimitsClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  async rules(requestId: string): Promise<readonly LimitRule[]> {
    return (await this.#rpc.unary(LimitsService.rules, {}, { requestId, timeoutMs })).rules;
  }

  take({ key, want, rule: { maxRequests, intervalS }, credential, requestId }: Taking): Promise<Taken> {
    return this.#rpc.unary(LimitsService.take, { key, want, maxRequests, intervalS }, { credential, requestId, timeoutMs });
  }
}

const timeoutMs = 5_000;
