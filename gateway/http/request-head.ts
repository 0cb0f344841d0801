/**
 * What the gateway reads of a request's headers.
 *
 * All headers are walked once: one crossing into the parser costs less than asking for eight of them by name, and only a
 * walk sees what a look-up hides: a header sent twice, and an empty one in front of another. The parser believes the first
 * Content-Length and takes any Transfer-Encoding for chunked; where a proxy in front reads them otherwise, the rest of the
 * body would become somebody else's next request. Such requests get a `flaw`, and their connection is closed.
 */
export class RequestHead {
  /** Why the request must be refused and its connection closed; empty for a sound one. */
  flaw = '';
  requestId = '';
  authorization: string | null = null;
  adminKey: string | null = null;
  /** The same kind of credential was sent twice, and not the same one. */
  hasRivalCredentials = false;
  /** -1: the header is absent. */
  contentLength = -1;
  isChunked = false;
  contentType = '';
  contentEncoding = '';
  acceptEncoding = '';
  ifMatch = '';
  ifNoneMatch = '';
  idempotencyKey: string | null = null;
  origin = '';
  requestedMethod = '';
  requestedHeaders = '';
  forwardedFor = '';
  traceparent = '';
  hasHost = false;
  /** All headers but those that carry credentials, a line of `name: value` each. */
  lines = '';

  /** Whether a body follows the head. */
  get hasBody(): boolean {
    return this.isChunked || this.contentLength > 0;
  }

  /** Takes one header in; names are in lower case already. */
  take(name: string, value: string): void {
    if (name !== 'authorization' && name !== 'x-admin-key') this.lines += `${name}: ${value}\n`;
    switch (name) {
      case 'host':
        return this.#takeHost();
      case 'content-length':
        return this.#takeLength(value);
      case 'transfer-encoding':
        return this.#takeTransferEncoding(value);
      case 'authorization':
        if (this.authorization !== null && this.authorization !== value) this.hasRivalCredentials = true;
        this.authorization = value;
        return;
      case 'x-admin-key':
        if (this.adminKey !== null && this.adminKey !== value) this.hasRivalCredentials = true;
        this.adminKey = value;
        return;
      case 'content-type':
        if (this.contentType !== '' && this.contentType !== value) this.flaw = 'Content-Type must stand once';
        this.contentType = value;
        return;
      case 'idempotency-key':
        if (this.idempotencyKey !== null && this.idempotencyKey !== value) this.flaw = 'Idempotency-Key must stand once';
        this.idempotencyKey = value;
        return;
      default:
        this.#takeHarmless(name, value);
    }
  }

  #takeHarmless(name: string, value: string): void {
    switch (name) {
      case 'x-request-id':
        this.requestId = value;
        return;
      case 'if-none-match':
        this.ifNoneMatch = listed(this.ifNoneMatch, value);
        return;
      case 'if-match':
        this.ifMatch = listed(this.ifMatch, value);
        return;
      case 'origin':
        this.origin = value;
        return;
      case 'accept-encoding':
        this.acceptEncoding = listed(this.acceptEncoding, value);
        return;
      case 'content-encoding':
        this.contentEncoding = listed(this.contentEncoding, value);
        return;
      case 'traceparent':
        this.traceparent = value;
        return;
      case 'x-forwarded-for':
        this.forwardedFor = listed(this.forwardedFor, value);
        return;
      case 'access-control-request-method':
        this.requestedMethod = value;
        return;
      case 'access-control-request-headers':
        this.requestedHeaders = listed(this.requestedHeaders, value);
    }
  }

  #takeHost(): void {
    if (this.hasHost) this.flaw = 'Host must stand once';
    this.hasHost = true;
  }

  /** Equal repeats are refused too: nobody who means well sends them. */
  #takeLength(value: string): void {
    if (this.contentLength !== -1) this.flaw = 'Content-Length must stand once';
    else if (this.isChunked) this.flaw = bothLengths;
    else if (!/^\d{1,15}$/.test(value)) this.flaw = 'Content-Length must be a number';
    // Even a bad one counts as seen.
    this.contentLength = this.flaw === '' ? Number(value) : 0;
  }

  #takeTransferEncoding(value: string): void {
    if (this.isChunked) this.flaw = 'Transfer-Encoding must stand once';
    else if (this.contentLength !== -1) this.flaw = bothLengths;
    else if (value.toLowerCase() !== 'chunked') this.flaw = 'Transfer-Encoding must be chunked';
    this.isChunked = true;
  }
}

const bothLengths = 'Content-Length and Transfer-Encoding must not stand together';

/** Reads the heads of requests, one at a time; the callback that the parser gets is made once. */
export class HeadReader {
  #head = new RequestHead();
  readonly #take = (name: string, value: string): void => this.#head.take(name, value);

  read(request: HeaderSource): RequestHead {
    const head = new RequestHead();
    this.#head = head;
    request.forEach(this.#take);
    return head;
  }
}

/** What holds headers. */
export interface HeaderSource {
  forEach(take: (name: string, value: string) => void): void;
}

/** A list header sent in several lines is one list (RFC 9110, 5.3). */
function listed(before: string, value: string): string {
  return before === '' ? value : `${before}, ${value}`;
}
