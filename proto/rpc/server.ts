import {
  Server,
  ServerInterceptingCall,
  status as Status,
  type ServerDuplexStream,
  type ServerInterceptor,
  type ServerOptions,
  type ServiceDefinition,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { HealthImplementation } from 'grpc-health-check';
import { ConfigError } from '../process/config-error.ts';
import type { Log } from '../process/log.ts';
import { handshakeProves, MemberCheck, serverCredentials, type RpcIdentity } from './identity.ts';
import { messageBytesMax } from './lane-limits.ts';
import type { LaneServer } from './lane-server.ts';
import { quietTransport } from './quiet-transport.ts';
import { parseTarget, targetText, type RpcTarget } from './target.ts';
import { serveUnary, UnaryGate, type UnaryHandler } from './unary.ts';
import { prepareSocket, protectSocket } from './unix-socket.ts';

/** Where a role takes calls from the others: unary services, lanes and gRPC's health service, for members of the cluster only. */
export class RpcServer implements AsyncDisposable {
  readonly #options: RpcServerOptions;
  readonly #target: RpcTarget;
  readonly #server: Server;
  readonly #gate: UnaryGate;
  readonly #lanes: LaneServer[] = [];
  readonly #serviceNames: string[] = [''];
  #health: HealthImplementation | null = null;

  constructor(options: RpcServerOptions) {
    quietTransport();
    this.#options = options;
    this.#target = parseTarget(options.listen);
    this.#gate = new UnaryGate(options.unaryMax ?? unaryMaxDefault);
    this.#server = new Server({ ...serverOptions, interceptors: [memberInterceptor(options.identity, this.#target)] });
  }

  /** Adds a service as ts-proto declares it; unary methods are functions from request to reply, a lane is a `LaneServer`. */
  add<Service extends ServiceMethods>(service: Service, handlers: ServiceHandlers<Service>): void {
    const implementation: UntypedServiceImplementation = {};
    const definition: Record<string, ServiceMethods[string]> = {};
    for (const [name, method] of Object.entries(service)) {
      const handler = (handlers as Record<string, UnaryHandler<never, unknown> | LaneServer>)[name];
      if (handler === undefined) throw new TypeError(`no handler for ${method.path}`);
      definition[name] = typeof handler === 'function' ? method : { ...method, ...asBatches };
      implementation[name] = this.#served(method.path, handler);
      this.#serviceNames.push(serviceName(method.path));
    }
    this.#server.addService(definition as unknown as ServiceDefinition, implementation);
  }

  /** Starts to listen; resolves with the address that clients take. */
  async listen(): Promise<string> {
    const { identity } = this.#options;
    if (this.#target.kind === 'tcp' && identity.clusterKey === undefined && identity.tls === undefined) {
      throw new ConfigError([
        `SVC_RPC_LISTEN: to listen on ${targetText(this.#target)}, where others could call, SVC_CLUSTER_KEY or SVC_TLS_* is needed`,
      ]);
    }
    if (this.#target.kind === 'unix') await prepareSocket(this.#target.path);
    await this.#addHealth();
    const port = await this.#bind();
    if (this.#target.kind === 'unix') await protectSocket(this.#target.path);
    this.setStatus('SERVING');
    return this.#target.kind === 'unix' ? targetText(this.#target) : `${this.#target.host}:${port}`;
  }

  /** What the health service answers for every service here. */
  setStatus(status: 'SERVING' | 'NOT_SERVING'): void {
    for (const name of this.#serviceNames) this.#health?.setStatus(name, status);
  }

  /** Takes no new calls, lets those under way finish for at most `drainMs`, then hangs up. */
  async close(): Promise<void> {
    this.setStatus('NOT_SERVING');
    for (const lane of this.#lanes) lane.drain();
    await this.#shutdown(this.#options.drainMs ?? drainMsDefault);
    for (const lane of this.#lanes) lane.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #served(path: string, handler: UnaryHandler<never, unknown> | LaneServer): UntypedHandleCall {
    if (typeof handler === 'function') return serveUnary({ log: this.#options.log, gate: this.#gate, path }, handler) as UntypedHandleCall;
    this.#lanes.push(handler);
    return (stream: ServerDuplexStream<Buffer, Buffer>) => handler.serve(stream);
  }

  #bind(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(targetText(this.#target), serverCredentials(this.#options.identity, this.#target), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  }

  /** Loaded here, because it brings a parser of .proto files along. */
  async #addHealth(): Promise<void> {
    const { HealthImplementation: Health } = await import('grpc-health-check');
    this.#health = new Health();
    this.#health.addToServer(this.#server);
  }

  #shutdown(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const force = setTimeout(() => {
        this.#server.forceShutdown();
        resolve();
      }, withinMs);
      this.#server.tryShutdown(() => {
        clearTimeout(force);
        resolve();
      });
    });
  }
}

export interface RpcServerOptions {
  /** `unix:/path` or `host:port`; port 0 lets the system choose one. */
  readonly listen: string;
  readonly identity: RpcIdentity;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Unary calls under way at once; above it they are refused as `overloaded`. */
  readonly unaryMax?: number;
  readonly drainMs?: number;
}

/** The methods of a service as ts-proto declares them. */
export type ServiceMethods = Readonly<
  Record<
    string,
    {
      readonly path: string;
      readonly requestStream: boolean;
      readonly responseStream: boolean;
      readonly requestSerialize: (request: never) => Buffer;
      readonly requestDeserialize: (bytes: Buffer) => unknown;
      readonly responseSerialize: (reply: never) => Buffer;
      readonly responseDeserialize: (bytes: Buffer) => unknown;
    }
  >
>;

export type ServiceHandlers<Service extends ServiceMethods> = {
  readonly [Name in keyof Service]: Service[Name]['responseStream'] extends false
    ? UnaryHandler<ReturnType<Service[Name]['requestDeserialize']>, ReturnType<Service[Name]['responseDeserialize']>>
    : LaneServer;
};

const unaryMaxDefault = 256;
/** Less than a role's whole drain may take: what the calls stood on is closed after us. */
const drainMsDefault = 7000;

const serverOptions: ServerOptions = {
  'grpc.enable_channelz': 0,
  'grpc.max_send_message_length': messageBytesMax,
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc.max_concurrent_streams': 1024,
  'grpc.keepalive_time_ms': 5000,
  'grpc.keepalive_timeout_ms': 5000,
};

/** A lane encodes and decodes its batches itself. */
const asBatches = {
  requestSerialize: (batch: Buffer): Buffer => batch,
  requestDeserialize: (batch: Buffer): Buffer => batch,
  responseSerialize: (batch: Buffer): Buffer => batch,
  responseDeserialize: (batch: Buffer): Buffer => batch,
};

/** Refuses whoever does not prove membership before a message of his is read. */
function memberInterceptor(identity: RpcIdentity, target: RpcTarget): ServerInterceptor {
  if (identity.clusterKey === undefined || handshakeProves(identity, target)) return (_method, call) => call as ServerInterceptingCall;
  const check = new MemberCheck(identity.clusterKey);
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            if (check.passes(metadata)) proceed(metadata);
            else call.sendStatus({ code: Status.UNAUTHENTICATED, details: 'not a member of this cluster' });
          },
        }),
    });
}

/** `/svc.v1.Records/Pipe` is a method of `svc.v1.Records`. */
function serviceName(path: string): string {
  return path.slice(1, path.lastIndexOf('/'));
}
