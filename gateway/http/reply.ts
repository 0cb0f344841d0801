/** An answer as the gateway sends it; an answer of the lane is one as it stands. */
export interface Reply {
  readonly status: number;
  /** JSON text unless `headers` says otherwise; not sent where the status has no body. */
  readonly body: Buffer | string;
  /** Empty: none. */
  readonly etag: string;
  /** 0: none. */
  readonly retryAfterS: number;
  /** Header lines that stand in place of the JSON answer's own, such as Content-Type. */
  readonly headers?: HeaderLines;
}

/** An answer to come, and a way to say that nobody waits for it any more. */
export interface PendingReply {
  readonly answer: Promise<Reply>;
  cancel(): void;
}

/** Whole header lines, each with CRLF in front, so that one call into the parser writes them all. Made from constants only. */
export type HeaderLines = string & { readonly headerLines: unique symbol };

/** Header lines from names and values that the gateway itself has written. */
export function headerLines(headers: Readonly<Record<string, string>>): HeaderLines {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (!lines.every((line) => /^[\t\x20-\x7e]+$/.test(line))) throw new TypeError('a header holds what no header may hold');
  return lines.map((line) => `\r\n${line}`).join('') as HeaderLines;
}

/** The lines of every JSON answer: a browser may keep it, but asks again before using it. */
export const jsonLines = headerLines({ 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' });

/** The status line's text, such as `404 Not Found`. */
export function statusText(status: number): string {
  return statusTexts.get(status) ?? String(status);
}

/** Whether answers of this status have no body (RFC 9110, 15.3.5 and 15.4.5). */
export function isBodyless(status: number): boolean {
  return status === 204 || status === 304;
}

const statusTexts: ReadonlyMap<number, string> = new Map(
  [
    '200 OK',
    '201 Created',
    '204 No Content',
    '302 Found',
    '304 Not Modified',
    '400 Bad Request',
    '401 Unauthorized',
    '403 Forbidden',
    '404 Not Found',
    '405 Method Not Allowed',
    '409 Conflict',
    '412 Precondition Failed',
    '413 Content Too Large',
    '415 Unsupported Media Type',
    '422 Unprocessable Content',
    '429 Too Many Requests',
    '500 Internal Server Error',
    '503 Service Unavailable',
  ].map((text) => [Number.parseInt(text, 10), text]),
);
