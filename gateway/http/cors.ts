import { headerLines, type HeaderLines } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** Which pages of other origins may use the API (`SVC_CORS_ORIGINS`): `*`, or a list. Credentials travel in headers, never in cookies. */
export class Cors {
  readonly #origins: ReadonlyMap<string, HeaderLines>;
  readonly #others: HeaderLines;
  readonly #allowsAll: boolean;

  constructor(origins: readonly string[]) {
    this.#allowsAll = origins.includes('*');
    this.#origins = new Map(origins.map((origin) => [origin, answerLines({ 'Access-Control-Allow-Origin': origin, ...exposed, Vary: 'Origin' })]));
    this.#others = this.#allowsAll ? answerLines({ 'Access-Control-Allow-Origin': '*', ...exposed }) : answerLines({ Vary: 'Origin' });
  }

  /** The lines that stand in every answer to a page of `origin`. */
  lines(origin: string): HeaderLines {
    if (this.#allowsAll) return this.#others;
    return this.#origins.get(origin) ?? this.#others;
  }

  /** What an OPTIONS request is told beside `lines`: the methods of the address, and for a preflight what it asked for. */
  preflightLines(head: RequestHead, methods: string): HeaderLines {
    const isAllowed = this.#allowsAll || this.#origins.has(head.origin);
    if (head.requestedMethod === '' || !isAllowed) return headerLines({ Allow: methods });
    return headerLines({
      Allow: methods,
      'Access-Control-Allow-Methods': methods,
      // What was asked for is granted as it stands: headers decide nothing here but for those we read.
      'Access-Control-Allow-Headers': headerListPattern.test(head.requestedHeaders) ? head.requestedHeaders : requestHeaders,
      'Access-Control-Max-Age': '7200',
    });
  }
}

const headerListPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:[ \t]*,[ \t]*[A-Za-z0-9!#$%&'*+.^_`|~-]+){0,63}$/;
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Admin-Key, X-Request-Id, traceparent';
const exposed = {
  'Access-Control-Expose-Headers':
    'Allow, ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-Id',
};

function answerLines(headers: Readonly<Record<string, string>>): HeaderLines {
  return headerLines({ 'X-Content-Type-Options': 'nosniff', ...headers });
}
