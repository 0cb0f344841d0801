import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js';
import { asSvcError } from '../errors/problem.ts';
import { SvcError } from '../errors/svc-error.ts';
import type { Log } from '../process/log.ts';
import { systemClock } from '../values/time.ts';
import { readCallInfo, type CallInfo } from './call-info.ts';
import { toStatus } from './status.ts';

/** A unary method as a service writes it: throws what went wrong, knows nothing of gRPC. */
export type UnaryHandler<Request, Reply> = (request: Request, call: ServedUnary) => Promise<Reply> | Reply;

/** What came with the request. */
export interface ServedUnary extends Required<CallInfo> {
  /** Aborts when the caller has gone or its deadline has passed. */
  readonly signal: AbortSignal;
}

/** Bounds the unary calls under way in one process. */
export class UnaryGate {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  enter(): void {
    if (this.#count >= this.#max) throw new SvcError('overloaded');
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
  }
}

/** The handler as grpc-js takes it. A SvcError arrives at the caller as it was thrown; anything else as `internal`, and in our log. */
export function serveUnary<Request, Reply>(deps: ServeUnaryDeps, handler: UnaryHandler<Request, Reply>): handleUnaryCall<Request, Reply> {
  return (call, reply) => {
    const aborter = new AbortController();
    call.on('cancelled', () => aborter.abort());
    const info = readCallInfo(call.metadata, msLeft(call));
    enter(deps.gate, () => handler(call.request, { ...info, signal: aborter.signal })).then(
      (answer) => reply(null, answer),
      (thrown: unknown) => {
        const error = asSvcError(thrown, info.requestId);
        if (error.code === 'internal') deps.log.error({ err: error.cause ?? error, requestId: info.requestId, method: deps.path }, 'a call failed');
        reply(toStatus(error));
      },
    );
  };
}

export interface ServeUnaryDeps {
  readonly log: Pick<Log, 'error'>;
  readonly gate: UnaryGate;
  /** The method, for the log. */
  readonly path: string;
}

/** For calls that came without a deadline. */
const timeoutMsDefault = 15_000;

async function enter<Reply>(gate: UnaryGate, work: () => Promise<Reply> | Reply): Promise<Reply> {
  gate.enter();
  try {
    return await work();
  } finally {
    gate.leave();
  }
}

function msLeft(call: ServerUnaryCall<unknown, unknown>): number {
  const deadline = Number(call.getDeadline());
  return Number.isFinite(deadline) ? Math.max(0, deadline - systemClock.now()) : timeoutMsDefault;
}
