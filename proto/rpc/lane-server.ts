import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Log } from '../process/log.ts';
import type { LaneCall } from './lane-codec.ts';
import { LaneConnection } from './lane/lane-connection.ts';
import { laneQuotas, serverLimits, type LaneClass, type LaneLimits, type LaneQuotas } from './lane-limits.ts';
import type { LaneHandle, LaneServerCounts } from './lane/lane-handle.ts';
import { TimerWheel } from './lane/timer-wheel.ts';

export type { LaneContext, LaneReply } from './lane/lane-handle.ts';

/** The service's end of all lanes: hands each call to `handle` at once and sends the answers back in batches. */
export class LaneServer {
  readonly #options: LaneServerOptions;
  readonly #quotas: LaneQuotas;
  readonly #wheel = new TimerWheel();
  readonly #connections = new Set<LaneConnection>();
  readonly #counts: LaneServerCounts = { calls: 0, answers: 0, refused: 0, timedOut: 0, failed: 0, shed: 0 };
  #isDraining = false;

  constructor(options: LaneServerOptions) {
    this.#options = options;
    this.#quotas = laneQuotas(options.limits ?? serverLimits);
  }

  /** Serves one stream until it ends. */
  serve(stream: ServerDuplexStream<Buffer, Buffer>): void {
    const { handle, classOf, log, timeoutMsMax = timeoutMsMaxDefault } = this.#options;
    const connection = new LaneConnection(
      {
        handle,
        classOf,
        log,
        timeoutMsMax,
        quotas: this.#quotas,
        wheel: this.#wheel,
        counts: this.#counts,
        onEnded: () => this.#connections.delete(connection),
      },
      stream,
    );
    this.#connections.add(connection);
    if (this.#isDraining) connection.drain();
  }

  /** Tells every gateway to send its new calls elsewhere; what has come in is still answered. */
  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#connections) connection.drain();
  }

  /** Plain numbers for metrics. */
  stats(): LaneServerStats {
    const connections = [...this.#connections];
    return {
      ...this.#counts,
      lanes: connections.length,
      outstanding: { read: this.#quotas.read.frames, write: this.#quotas.write.frames, slow: this.#quotas.slow.frames },
      queuedBytes: connections.reduce((sum, connection) => sum + connection.queuedBytes, 0),
    };
  }

  close(): void {
    this.#wheel.close();
  }
}

export interface LaneServerOptions {
  readonly handle: LaneHandle;
  /** Whose limit a call counts against. */
  readonly classOf: (call: LaneCall) => LaneClass;
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly limits?: LaneLimits;
  /** No call is waited for longer, whatever its gateway allows. */
  readonly timeoutMsMax?: number;
}

export interface LaneServerStats extends Readonly<LaneServerCounts> {
  readonly lanes: number;
  readonly outstanding: Readonly<Record<LaneClass, number>>;
  readonly queuedBytes: number;
}

const timeoutMsMaxDefault = 60_000;
