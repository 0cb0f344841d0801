import { CollectionsService, type PlanOptions } from '../../proto/gen/svc/v1/collections.ts';
import type { CallInfo } from '../../proto/rpc/call-info.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';

/** Who asks, and under which request. */
export interface CollectionsCaller {
  readonly credential: string;
  /** Empty where none was sent. */
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly traceparent: string;
}

/** What a public document may say of the collections there are, as of one version of the catalogue. */
export interface Description {
  readonly version: bigint;
  /** A JSON array; empty where the version asked with is still the current one. */
  readonly collections: Buffer;
}

/** The schema operations, one unary call each; a refusal arrives as the SvcError that the store threw. */
export class CollectionsClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  async list(caller: CollectionsCaller): Promise<Buffer> {
    return (await this.#rpc.unary(CollectionsService.list, {}, info(caller, readTimeoutMs))).body;
  }

  async get(caller: CollectionsCaller, name: string): Promise<Buffer> {
    return (await this.#rpc.unary(CollectionsService.get, { name }, info(caller, readTimeoutMs))).body;
  }

  async create(caller: CollectionsCaller, input: { readonly body: Buffer; readonly plan: PlanOptions }): Promise<Buffer> {
    return (await this.#rpc.unary(CollectionsService.create, input, info(caller, changeTimeoutMs))).body;
  }

  async update(caller: CollectionsCaller, input: { readonly name: string; readonly body: Buffer; readonly plan: PlanOptions }): Promise<Buffer> {
    return (await this.#rpc.unary(CollectionsService.update, input, info(caller, changeTimeoutMs))).body;
  }

  async delete(caller: CollectionsCaller, input: { readonly name: string; readonly plan: PlanOptions }): Promise<Buffer> {
    return (await this.#rpc.unary(CollectionsService.delete, input, info(caller, changeTimeoutMs))).body;
  }

  async truncate(caller: CollectionsCaller, name: string): Promise<Buffer> {
    return (await this.#rpc.unary(CollectionsService.truncate, { name }, info(caller, changeTimeoutMs))).body;
  }

  describe(requestId: string, knownVersion: bigint): Promise<Description> {
    return this.#rpc.unary(CollectionsService.describe, { knownVersion }, { requestId, timeoutMs: readTimeoutMs });
  }
}

const readTimeoutMs = 10_000;

/** A change may rewrite a large table; the store itself gives up on locks within seconds. */
const changeTimeoutMs = 120_000;

function info({ credential, idempotencyKey, requestId, traceparent }: CollectionsCaller, timeoutMs: number): CallInfo {
  return { credential, idempotencyKey, requestId, timeoutMs, ...(traceparentPattern.test(traceparent) ? { traceparent } : {}) };
}

/** W3C trace context; anything else is not passed on. */
const traceparentPattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
