import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test may send what no HTTP library would. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  #received = '';
  #isClosed = false;
  #changed: () => void = nothing;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#note(text));
    socket.on('error', nothing);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#changed();
    });
  }

  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the bytes have left this process, so that the next ones travel in a packet of their own. */
  async send(text: string | Buffer): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(text, () => resolve()));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The next whole answer; undefined when the connection closed before one came. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const found = parseAnswer(this.#received, this.#isClosed);
      if (found !== undefined) {
        this.#received = this.#received.slice(found.length);
        return found.answer;
      }
      if (this.#isClosed) return undefined;
      await this.#change();
    }
  }

  /** Resolves when the other side has closed; tells what came that was not yet taken. */
  async closed(): Promise<string> {
    while (!this.#isClosed) await this.#change();
    return this.#received;
  }

  /** Breaks the connection off, as a client that crashed. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #note(text: string): void {
    this.#received += text;
    this.#changed();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#changed = resolve));
  }
}

/** The only answer to `parts`, each sent in a packet of its own; undefined when the connection closed without one. */
export async function rawAnswer(baseUrl: string, ...parts: readonly (string | Buffer)[]): Promise<RawAnswer | undefined> {
  using connection = await RawConnection.open(baseUrl);
  for (const part of parts) await connection.send(part);
  // Awaited here: the connection lives as long as this function.
  return await connection.answer();
}

function parseAnswer(text: string, isClosed: boolean): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  const status = Number(statusLine.split(' ')[1]);
  const bodyAt = headEnd + 4;
  const given = headers.get('content-length');
  // The parser's own refusals carry no length: they end with the connection.
  if (given === undefined && !isClosed && !lengthless.has(status)) return undefined;
  const bodyEnd = given === undefined ? (lengthless.has(status) ? bodyAt : text.length) : bodyAt + Number(given);
  if (text.length < bodyEnd) return undefined;
  return { answer: { status, headers, body: text.slice(bodyAt, bodyEnd) }, length: bodyEnd };
}

const lengthless: ReadonlySet<number> = new Set([100, 204, 304]);

function nothing(): void {}
