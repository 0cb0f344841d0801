import { BenchFailure } from './failure.ts';

/** What a bench program is given: where to say how far it is, and who closes what it opens. */
export class BenchSession {
  readonly #opened: AsyncDisposable[] = [];
  #closing: Promise<void> | undefined;

  progress(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** Hands a thing over to be closed at the end, however the program ends. */
  use<Thing extends AsyncDisposable>(thing: Thing): Thing {
    this.#opened.push(thing);
    return thing;
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const thing of this.#opened.toReversed()) await thing[Symbol.asyncDispose]();
  }
}

/**
 * Runs a bench program: progress to stderr, its result to stdout, a refusal as one message with exit code 1.
 * Ctrl-C closes what was opened before it ends.
 */
export async function runMain(main: (session: BenchSession) => Promise<string>): Promise<void> {
  const session = new BenchSession();
  process.once('SIGINT', () => void session.close().finally(() => process.exit(130)));
  process.once('SIGTERM', () => void session.close().finally(() => process.exit(143)));
  try {
    process.stdout.write(`\n${await main(session)}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`\n${error instanceof BenchFailure ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  } finally {
    await session.close();
  }
}
