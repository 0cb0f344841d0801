import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { SvcError } from '../../proto/errors/svc-error.ts';
import { BodyReading } from './body-reading.ts';
import { addressText, clientAddress } from './client-address.ts';
import type { ExchangeOwner } from './exchange-owner.ts';
import { lingerBytesMax, Lingering } from './lingering.ts';
import { isBodyless, jsonLines, statusText, type Reply } from './reply.ts';
import type { RequestHead } from './request-head.ts';
import { SlowAnswer } from './slow-answer.ts';

/**
 * One request and its answer. Everything is read from the parser when it is made, because the parser's request dies with the
 * callback; the answer may come at any time later. Once the client has gone nothing touches the parser's response any more.
 */
export class Exchange {
  readonly head: RequestHead;
  /** The path's parameters as they were sent, percent-encoded. */
  readonly params: readonly string[];
  /** The query string as it was sent, without the question mark. */
  readonly query: string;
  readonly requestId: string;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly isHead: boolean;
  readonly #owner: ExchangeOwner;
  readonly #response: HttpResponse;
  #state: 'open' | 'ending' | 'answered' | 'gone' = 'open';
  #closes: boolean;
  #onGone: (() => void) | null = null;
  #reading: BodyReading | null = null;
  #lingering: Lingering | null = null;
  #isBodyOver: boolean;

  constructor(owner: ExchangeOwner, response: HttpResponse, request: HttpRequest, input: ExchangeInput) {
    this.startedAt = performance.now();
    this.#owner = owner;
    this.#response = response;
    this.isHead = input.isHead;
    this.params = readParams(request, input.paramCount);
    this.query = request.getQuery() ?? '';
    this.head = owner.heads.read(request);
    this.requestId = owner.requestIds.of(this.head.requestId);
    // The parser is lax about chunks and takes trailers for the next request: after a chunked body nothing more is read.
    this.#closes = this.head.isChunked;
    this.#isBodyOver = !this.head.hasBody;
    response.onAborted(() => this.#gone());
    owner.opened();
  }

  /** Whether an answer can still be sent. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** `callback` runs once if the client goes before it was answered. */
  onGone(callback: () => void): void {
    this.#onGone = callback;
  }

  /** The connection ends with the answer: what follows on it cannot be trusted or is not wanted. */
  closeAfter(): void {
    this.#closes = true;
  }

  /** The client's address; only while the exchange is open. */
  clientAddress(): string {
    if (!this.isOpen) return '';
    const peer = addressText(new Uint8Array(this.#response.getRemoteAddress()));
    return clientAddress(peer, this.head.forwardedFor, this.#owner.trustedProxies);
  }

  /** Gives `done` the whole body, or why there is none; not at all when the client goes first. */
  readBody(done: (body: Buffer | SvcError) => void): void {
    this.#reading = new BodyReading(this.#owner, { onEnd: done, onLate: () => this.#hangUp() });
    this.#response.onData((chunk, isLast) => this.#take(chunk, isLast));
  }

  /** Sends the answer; does nothing when one was sent or the client has gone. */
  send(reply: Reply): void {
    if (this.#state !== 'open') return;
    if (this.head.flaw !== '') return this.#answer({ ...reply, body: `${String(reply.body)}${flushing}` });
    if (!this.#closes) return this.#answer(reply);
    this.#state = 'ending';
    // The parser, while it runs, forgets to close when it finds another request behind this one.
    // Left without an answer until it is done, it closes there and then.
    if (this.#isBodyOver || this.head.contentLength > lingerBytesMax) setImmediate(() => this.#answer(reply));
    else this.#linger(reply);
  }

  #take(chunk: ArrayBuffer, isLast: boolean): void {
    this.#isBodyOver = isLast;
    if (this.#lingering === null) this.#reading?.take(chunk, isLast);
    else this.#lingering.take(chunk.byteLength, isLast);
  }

  #linger(reply: Reply): void {
    this.#lingering = new Lingering(this.#owner.bodyTimeMs, { onEnd: () => setImmediate(() => this.#answer(reply)) });
    if (this.#reading === null) this.#response.onData((chunk, isLast) => this.#take(chunk, isLast));
  }

  #answer(reply: Reply): void {
    if (this.#state === 'answered' || this.#state === 'gone') return;
    this.#state = 'answered';
    this.#onGone = null;
    this.#lingering?.stop();
    this.#response.cork(() => this.#write(reply));
  }

  #write(reply: Reply): void {
    const response = this.#response;
    const { status, body } = reply;
    const closes = this.#closes || this.#owner.isDraining;
    // 200 is what the parser writes by itself.
    if (status !== 200) response.writeStatus(statusText(status));
    response.writeHeader('X-Request-Id', this.#headerBlock(reply));
    if (!closes && body.length > slowAnswerBytes && typeof body !== 'string' && !this.isHead) {
      SlowAnswer.send(response, body, () => this.#owner.closed());
      return;
    }
    // `endWithoutBody` knows no way to close (with a second argument it writes a length of its own invention).
    if (!isBodyless(status) && (!this.isHead || this.head.flaw !== '')) response.end(body, closes);
    else if (closes) response.end('', true);
    else response.endWithoutBody();
    this.#owner.closed();
  }

  /** All headers as the value of the first one: a value is written as it stands, and one call is cheaper than eight. */
  #headerBlock(reply: Reply): string {
    const { status } = reply;
    let block = this.requestId + this.#owner.cors.lines(this.head.origin);
    if (reply.headers !== undefined) block += reply.headers;
    else if (!isBodyless(status)) block += jsonLines;
    if (reply.etag !== '') block += `\r\nETag: ${reply.etag}`;
    if (reply.retryAfterS > 0) block += `\r\nRetry-After: ${reply.retryAfterS}`;
    if (status === 401) block += '\r\nWWW-Authenticate: Bearer';
    if (this.isHead && !isBodyless(status) && !this.#closes && !this.#owner.isDraining)
      block += `\r\nContent-Length: ${Buffer.byteLength(reply.body)}`;
    return block;
  }

  #hangUp(): void {
    if (this.#state === 'open') this.#response.close();
  }

  #gone(): void {
    if (this.#state === 'answered' || this.#state === 'gone') return;
    this.#state = 'gone';
    this.#owner.closed();
    this.#reading?.stop();
    this.#lingering?.stop();
    const tell = this.#onGone;
    this.#onGone = null;
    tell?.();
  }
}

export interface ExchangeInput {
  readonly paramCount: number;
  readonly isHead: boolean;
}

/**
 * A body longer than the parser's output buffer (16 KiB) is written and its connection closed there and then. Anything shorter
 * waits until the parser has read all that came, and by then it may have taken the disputed bytes behind this request for another.
 */
const flushing = ' '.repeat(16 * 1024);

/** Above this an answer leaves piece by piece, as the client takes it, under a time limit. */
const slowAnswerBytes = 256 * 1024;

function readParams(request: HttpRequest, count: number): readonly string[] {
  const params: string[] = [];
  for (let index = 0; index < count; index += 1) params.push(request.getParameter(index) ?? '');
  return params;
}
