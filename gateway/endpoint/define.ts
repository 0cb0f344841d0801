import type { z } from 'zod';
import type { ErrorCode } from '../../proto/errors/catalogue.ts';
import { headerLines, type HeaderLines, type PendingReply, type Reply } from '../http/reply.ts';
import type { LimitAction } from './limit-rules.ts';
import type { EndpointContext, HttpAnswer } from './context.ts';

export { headerLines } from '../http/reply.ts';
export type { Reply } from '../http/reply.ts';

/** One operation of the API, declared once: the server, the OpenAPI document and every other view of it are derived from this. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are whole segments, `:name` and `:id`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  readonly scope: Scope;
  readonly summary: string;
  readonly description?: string;
  /** What the rate limits of the settings call it. */
  readonly limits?: LimitAction;
  /** Whether the body may be a form (application/x-www-form-urlencoded), too. */
  readonly takesForm?: boolean;
  /** Whether the handler is told the client's address. */
  readonly asksClient?: boolean;
  readonly query?: z.ZodObject;
  /** The request headers that this operation heeds beside credential and request id. */
  readonly headers?: readonly RequestHeader[];
  /** What the JSON body must be; absent: a body is not read. Whoever carries the operation out parses it. */
  readonly body?: z.ZodType;
  readonly answers: Readonly<Record<number, AnswerDeclaration>>;
  /** Codes beside those that any operation can meet. */
  readonly errors: readonly ErrorCode[];
  /** False: left out of the OpenAPI document. */
  readonly isDocumented?: boolean;
  readonly handle: (context: EndpointContext, request: EndpointRequest) => Outcome;
}

/** Who may call: everyone (credentials are not even looked at), whoever the collection's rule lets, or root and the admin key only. */
export type Scope = 'public' | 'rules' | 'root';

export type Tag = 'Collections' | 'Records' | 'Accounts' | 'System' | 'Specification';

export type RequestHeader = 'If-Match' | 'If-None-Match' | 'Idempotency-Key';

export interface AnswerDeclaration {
  readonly description: string;
  /** Absent: no body. */
  readonly schema?: z.ZodType;
  /** Absent: application/json. */
  readonly type?: string;
  readonly headers?: readonly ('ETag' | 'Location')[];
}

/** What a handler is given. */
export interface EndpointRequest {
  /** The path's parameters, decoded, in order. */
  readonly params: readonly string[];
  /** The query string as it was sent, without the question mark. */
  readonly query: string;
  /** The bytes as they were sent; empty where there is no body. */
  readonly body: Buffer;
  readonly credential: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly ifMatch: string;
  readonly ifNoneMatch: string;
  readonly idempotencyKey: string;
  /** The header lines as they were sent, `name: value` each, names in lower case; credentials are left out. */
  readonly headers: string;
  /** As far as proxies are believed; empty where the endpoint does not ask for it. */
  readonly clientAddress: string;
  readonly acceptEncoding: string;
}

/** An answer at once or later. */
export type Outcome = Reply | Promise<Reply> | PendingReply;

/** Checks at compile time that `endpoint` is complete. */
export function define(endpoint: Endpoint): Endpoint {
  return endpoint;
}

/** An answer with status and body and nothing else; without `headers` the body is JSON text. */
export function reply(status: number, body: Buffer | string = '', headers?: HeaderLines): Reply {
  return headers === undefined ? { status, body, etag: '', retryAfterS: 0 } : { status, body, etag: '', retryAfterS: 0, headers };
}

/** An answer that the store has made ready: JSON unless its own headers say otherwise, kept by nobody on the way (RFC 6749, 5.1). */
export function answered({ status, body, headers }: HttpAnswer): Reply {
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return reply(status, body, headerLines({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...given }));
}
