import type { HttpAnswer, HttpCall as HttpCallMessage } from '../../proto/gen/svc/v1/http.ts';
import type { RpcClient, UnaryMethod } from '../../proto/rpc/client.ts';

/** A request that the store answers as it is. */
export interface HttpCall {
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

/** The operations of a service whose methods all take a request and give an answer. */
export type HttpService<Methods> = { readonly [Name in keyof Methods]: (call: HttpCall) => Promise<HttpAnswer> };

/** One unary call for each operation; a refusal arrives as the SvcError that the store threw. */
export function httpService<Methods extends Readonly<Record<string, UnaryMethod<HttpCallMessage, HttpAnswer>>>>(
  rpc: RpcClient,
  methods: Methods,
): HttpService<Methods> {
  const operations = Object.entries(methods).map(([name, method]) => [
    name,
    ({ params, query, body, credential, requestId, headers, clientAddress }: HttpCall) =>
      rpc.unary(method, { params: [...params], query, body, headers, clientAddress }, { credential, requestId }),
  ]);
  return Object.fromEntries(operations) as HttpService<Methods>;
}
