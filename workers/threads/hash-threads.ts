import { Piscina } from 'piscina';
import { fault, SvcError } from '../../proto/errors/svc-error.ts';
import type { HashTask, VerifyTask } from './bcrypt.task.ts';
import { WorkQueue } from './work-queue.ts';

export type TaskName = 'hash' | 'verify';

/**
 * bcrypt in one or two threads at nice 10: as many passwords a second as anywhere else, and the threads that answer everybody
 * else keep the right of way. Above its bound the queue refuses with the seconds after which it will have room.
 */
export class HashThreads implements AsyncDisposable {
  readonly #pool: Piscina;
  readonly #queue: WorkQueue;
  readonly #threads: number;

  constructor({ threads, waitingMax = threads * waitingPerThread }: HashThreadsOptions) {
    this.#threads = threads;
    this.#queue = new WorkQueue({ runningMax: threads, waitingMax });
    this.#pool = new Piscina({
      filename: new URL('./bcrypt.task.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      niceIncrement,
      recordTiming: false,
      // Nothing but the task: a hasher needs no secret of its parent.
      env: {},
    });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  get running(): number {
    return this.#queue.running;
  }

  /** Passwords that are taken on at once, waiting ones included. */
  get capacity(): number {
    return this.#queue.capacity;
  }

  async hash(task: HashTask, signal?: AbortSignal): Promise<string> {
    refuseLong(task.password);
    if (!Number.isInteger(task.cost) || task.cost < costMin || task.cost > costMax)
      throw new RangeError(`the bcrypt cost ${task.cost} is not from ${costMin} to ${costMax}`);
    return this.#run<string>('hash', task, signal);
  }

  async verify(task: VerifyTask, signal?: AbortSignal): Promise<boolean> {
    refuseLong(task.password);
    if (costOf(task.hash) > costMax) throw new RangeError(`a stored hash has a bcrypt cost above ${costMax}`);
    return this.#run<boolean>('verify', task, signal);
  }

  /** Loads the library in every thread; throws when it cannot do its work. */
  async warmUp(): Promise<void> {
    const probes = Array.from({ length: this.#threads }, () => this.verify({ password: 'known', hash: knownHash }));
    if ((await Promise.all(probes)).includes(false)) throw new TypeError('bcrypt does not know its own hash');
  }

  /** Finishes what is running, refuses what waits. */
  async close(): Promise<void> {
    await this.#queue.close();
    await this.#pool.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #run<Result>(name: TaskName, task: HashTask | VerifyTask, signal: AbortSignal | undefined): Promise<Result> {
    return this.#queue.run(() => this.#pool.run(task, { name }) as Promise<Result>, signal);
  }
}

export interface HashThreadsOptions {
  readonly threads: number;
  /** Passwords that may wait. */
  readonly waitingMax?: number;
}

/** bcrypt looks at so many bytes and silently ignores the rest. */
const passwordBytesMax = 72;

/** Two seconds of waiting at cost 10; a login that takes longer has lost its user. */
const waitingPerThread = 32;

/** Each step doubles the time: 60 ms at 10, a second at 14. */
const costMin = 10;
const costMax = 14;

const niceIncrement = 10;

/** Of the password `known`, at the lowest cost there is. */
const knownHash = '$2b$04$L9kFUCxyEpckdo9gXknp2uk5p6AYp3GATRGP3Oxl7qlCdwB1ECM2.';

function refuseLong(password: string): void {
  if (Buffer.byteLength(password) <= passwordBytesMax) return;
  throw new SvcError('validation_failed', { data: { password: fault('too_many_bytes', { max: passwordBytesMax }) } });
}

/** 0 where the text is no hash: comparing will say so. */
function costOf(hash: string): number {
  return Number(/^\$2[abxy]\$(\d\d)\$/.exec(hash)?.[1] ?? 0);
}
