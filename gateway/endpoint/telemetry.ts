import type { Log } from '../../proto/process/log.ts';
import type { Exchange } from '../http/exchange.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { LineBudget } from './line-budget.ts';

/** Counts requests and writes the log lines that are worth one: failures of ours, and answers that took long. */
export class Telemetry {
  readonly #deps: TelemetryDeps;
  readonly #isVerbose: boolean;
  readonly #lines = new LineBudget();

  constructor(deps: TelemetryDeps) {
    this.#deps = deps;
    this.#isVerbose = deps.log.isLevelEnabled('debug');
  }

  /** What counts the requests of one method to one declared path; made once, so that a request looks nothing up. */
  meter(method: string, route: string): RouteMeter {
    const { requests, seconds } = this.#deps.metrics;
    const labels = { method, route };
    const counters = statusClasses.map((status) => requests.labels({ ...labels, status }));
    return new RouteMeter({
      counters,
      seconds: seconds.labels(labels),
      log: (line) => this.#log({ ...line, ...labels }),
      isVerbose: this.#isVerbose,
    });
  }

  /** An error of ours, with what is private about it; the client has been told a request id and nothing else. */
  internal(error: Error, input: { readonly requestId: string; readonly route: string }): void {
    this.#deps.log.error({ err: error.cause ?? error, ...input }, 'a request failed');
  }

  #log(line: RequestLine & { readonly method: string; readonly route: string }): void {
    const level = levelOf(line);
    // A store that is away turns every request into a failure: the first of a second tell it all.
    if (level !== 'debug' && !this.#lines.take()) return;
    const suppressed = level === 'debug' ? 0 : this.#lines.suppressed();
    this.#deps.log[level](suppressed === 0 ? line : { ...line, suppressed }, 'request');
  }
}

export interface TelemetryDeps {
  readonly log: Log;
  readonly metrics: GatewayMetrics;
}

/** The counters of one route, bound. */
export class RouteMeter {
  readonly #bound: BoundMeter;

  constructor(bound: BoundMeter) {
    this.#bound = bound;
  }

  /** Called just before the answer is sent, while the exchange can still tell who asked. */
  answered(exchange: Exchange, status: number): void {
    const { counters, seconds, log, isVerbose } = this.#bound;
    const ms = performance.now() - exchange.startedAt;
    counters[Math.trunc(status / 100) - 1]?.inc();
    seconds.observe(ms / 1000);
    if (status < 500 && ms <= slowMs && !isVerbose) return;
    log({ requestId: exchange.requestId, status, ms: Math.round(ms * 10) / 10, client: exchange.clientAddress() });
  }

  /** The client went before it had an answer. */
  gone(): void {
    this.#bound.counters[goneClass]?.inc();
  }
}

interface BoundMeter {
  readonly counters: readonly { inc(): void }[];
  readonly seconds: { observe(value: number): void };
  readonly log: (line: RequestLine) => void;
  readonly isVerbose: boolean;
}

interface RequestLine {
  readonly requestId: string;
  readonly status: number;
  readonly ms: number;
  readonly client: string;
}

function levelOf({ status, ms }: RequestLine): 'error' | 'warn' | 'debug' {
  // 503 says that another part is away or busy; that part, or the lane, writes why.
  if (status === 503) return 'warn';
  if (status >= 500) return 'error';
  return ms > slowMs ? 'warn' : 'debug';
}

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx', 'gone'] as const;
const goneClass = statusClasses.indexOf('gone');
const slowMs = 1000;
