import { Client, connectivityState, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { SvcError } from '../errors/svc-error.ts';
import { systemClock } from '../values/time.ts';
import { writeCallInfo, type CallInfo } from './call-info.ts';
import { channelCredentials, memberMetadata, type RpcIdentity } from './identity.ts';
import { messageBytesMax, windowBytes } from './lane-limits.ts';
import { quietTransport } from './quiet-transport.ts';
import { fromStatus } from './status.ts';
import { parseTargets, targetText, type RpcTarget } from './target.ts';

/** Unary calls to a service that runs at one or more targets: connects when first needed, and turns to another while one is away. */
export class RpcClient implements AsyncDisposable {
  readonly #identity: RpcIdentity;
  readonly #channels: readonly Client[];
  #turn = 0;

  /** `targets`: `unix:/path` or `host:port`, or a comma list of them. */
  constructor(options: { readonly targets: string; readonly identity: RpcIdentity }) {
    this.#identity = options.identity;
    this.#channels = parseTargets(options.targets).map((target) => openChannel(target, options.identity));
  }

  /** The reply, or a SvcError: the service's own, or `unavailable`, `timed_out`, `overloaded` when none came. `signal` calls it off. */
  unary<Request, Reply>(method: UnaryMethod<Request, Reply>, request: Request, info: CallInfo, signal?: AbortSignal): Promise<Reply> {
    const metadata = writeCallInfo(memberMetadata(this.#identity), info);
    const options = { deadline: systemClock.now() + (info.timeoutMs ?? timeoutMsDefault) };
    return new Promise((resolve, reject) => {
      const settle = (error: ServiceError | null, reply?: Reply): void => {
        signal?.removeEventListener('abort', cancel);
        if (error !== null) reject(fromStatus(error, info.requestId));
        else if (reply === undefined)
          reject(new SvcError('internal', { values: { requestId: info.requestId } }, new Error(`${method.path} replied with nothing`)));
        else resolve(reply);
      };
      const { path, requestSerialize, responseDeserialize } = method;
      const call = this.#channel().makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, options, settle);
      const cancel = (): void => call.cancel();
      if (signal?.aborted === true) cancel();
      else signal?.addEventListener('abort', cancel);
    });
  }

  async close(): Promise<void> {
    for (const channel of this.#channels) channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The channels by turns; one that is known to be away only when all are. */
  #channel(): Client {
    this.#turn += 1;
    const byTurns = this.#channels
      .map((_, index) => this.#channels[(this.#turn + index) % this.#channels.length])
      .filter((channel) => channel !== undefined);
    const chosen = byTurns.find((channel) => channel.getChannel().getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE) ?? byTurns[0];
    if (chosen === undefined) throw new TypeError('the client has no targets');
    return chosen;
  }
}

/** A method as ts-proto declares it. */
export interface UnaryMethod<Request, Reply> {
  readonly path: string;
  readonly requestStream: false;
  readonly responseStream: false;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (reply: Reply) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Reply;
}

/** A connection to `target`, made when first used; each has its own, so that nobody waits in another's queue. */
export function openChannel(target: RpcTarget, identity: RpcIdentity): Client {
  quietTransport();
  return new Client(targetText(target), channelCredentials(identity, target), { ...channelOptions, ...tlsOptions(identity, target) });
}

const timeoutMsDefault = 15_000;

const channelOptions: ChannelOptions = {
  // The repeat of a call is its caller's decision; the retry buffer would also copy every batch of a lane.
  'grpc.enable_retries': 0,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
  // Between our own processes: never through a proxy that the environment names for the outside.
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.max_send_message_length': messageBytesMax,
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc-node.flow_control_window': windowBytes,
  // A peer that was restarted is back within a fraction of a second; the defaults are 1 s and 120 s.
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1000,
  // A host that vanished without a word is noticed in 10 s.
  'grpc.keepalive_time_ms': 5000,
  'grpc.keepalive_timeout_ms': 5000,
};

function tlsOptions(identity: RpcIdentity, target: RpcTarget): ChannelOptions {
  const name = target.kind === 'tcp' ? identity.tls?.serverName : undefined;
  return name === undefined ? {} : { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name };
}
