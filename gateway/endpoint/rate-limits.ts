import { fail } from '../../proto/errors/svc-error.ts';
import type { Ids } from '../../proto/values/ids.ts';
import { isLimited, ruleFor, type Limitable, type LimitedRequest, type LimitRule } from './limit-rules.ts';

/** Where requests are counted. */
export interface LimitsPort {
  rules(requestId: string): Promise<readonly LimitRule[]>;
  take(taking: {
    readonly key: string;
    readonly want: number;
    readonly rule: LimitRule;
    readonly credential: string;
    readonly requestId: string;
  }): Promise<{ readonly granted: number; readonly resetS: number; readonly isAdmin: boolean }>;
}

/** Who asks for what. */
export interface LimitedCall extends LimitedRequest {
  readonly clientAddress: string;
  readonly credential: string;
  readonly requestId: string;
}

/** What this node has taken for a client and not used yet. */
interface Slice {
  left: number;
  /** The cluster has nothing left either. */
  readonly isSpent: boolean;
  readonly endsAtMs: number;
}

const rulesEveryMs = 250;
const slicesMax = 50_000;
/** The share of a limit that a node takes at once: small, so that what is left lies where it is asked for. */
const share = 20;

/**
 * The limits of the settings, counted across the cluster: a node takes a slice of what a client may ask, and asks for more when it
 * is used up. While no store answers nobody is limited: what would be limited cannot be done then either.
 */
export class RateLimits implements AsyncDisposable {
  readonly #port: LimitsPort;
  readonly #ids: Pick<Ids, 'request'>;
  readonly #isReady: () => boolean;
  #rules: readonly LimitRule[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #slices = new Map<string, Slice>();
  readonly #asking = new Map<string, Promise<void>>();

  /** `isReady`: whether a store answers; who is asked while he starts is taken for away for a second. */
  constructor(port: LimitsPort, ids: Pick<Ids, 'request'>, isReady: () => boolean) {
    this.#port = port;
    this.#ids = ids;
    this.#isReady = isReady;
  }

  /** Begins to follow the rules of the settings. */
  start(): void {
    this.#timer = setInterval(() => void this.#look(), rulesEveryMs);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Whether requests to the endpoint may be limited at all. */
  mayLimit(endpoint: Limitable): boolean {
    return this.#rules.length > 0 && isLimited(this.#rules, endpoint);
  }

  /** Undefined where the request may pass at once; fails with `too_many_requests`. */
  admit(call: LimitedCall): Promise<void> | undefined {
    const rule = ruleFor(this.#rules, call);
    if (rule === undefined) return undefined;
    const key = `${rule.label} ${rule.maxRequests}/${rule.intervalS} ${call.clientAddress}`;
    return this.#use(key) ? undefined : this.#wait(key, rule, call);
  }

  #use(key: string): boolean {
    const slice = this.#current(key);
    if (slice === undefined || slice.left === 0) return false;
    slice.left -= 1;
    return true;
  }

  /** What was taken in the window that runs. */
  #current(key: string): Slice | undefined {
    const slice = this.#slices.get(key);
    return slice === undefined || performance.now() >= slice.endsAtMs ? undefined : slice;
  }

  /** One asks for more at a time; the others wait for what comes. */
  async #wait(key: string, rule: LimitRule, call: LimitedCall): Promise<void> {
    for (;;) {
      const slice = this.#current(key);
      if (slice?.isSpent === true && call.credential === '') return refuse(rule, Math.ceil((slice.endsAtMs - performance.now()) / 1000));
      const asking = this.#asking.get(key);
      if (asking === undefined) return this.#ask(key, rule, call);
      await asking;
      if (this.#use(key)) return;
    }
  }

  async #ask(key: string, rule: LimitRule, call: LimitedCall): Promise<void> {
    const taking = this.#take(key, rule, call);
    this.#asking.set(
      key,
      taking.then(nothing, nothing).finally(() => this.#asking.delete(key)),
    );
    return taking;
  }

  async #take(key: string, rule: LimitRule, { credential, requestId }: LimitedCall): Promise<void> {
    const want = Math.max(1, Math.floor(rule.maxRequests / share));
    const taken = await this.#port.take({ key, want, rule, credential, requestId }).catch(nothing);
    if (taken === undefined || taken.isAdmin) return;
    if (this.#slices.size >= slicesMax) this.#slices.clear();
    const { granted, resetS } = taken;
    this.#slices.set(key, { left: Math.max(0, granted - 1), isSpent: granted === 0, endsAtMs: performance.now() + resetS * 1000 });
    if (granted === 0) return refuse(rule, resetS);
  }

  /** The last rules known stand while no store answers. */
  async #look(): Promise<void> {
    if (!this.#isReady()) return;
    const rules = await this.#port.rules(this.#ids.request()).catch(() => undefined);
    if (rules !== undefined) this.#rules = rules;
  }
}

function refuse({ maxRequests, intervalS }: LimitRule, resetS: number): never {
  return fail('too_many_requests', { retryAfterS: resetS, values: { max: maxRequests, interval: intervalS } });
}

function nothing(): undefined {
  return undefined;
}
