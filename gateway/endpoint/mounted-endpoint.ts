import { asSvcError } from '../../proto/errors/problem.ts';
import { fail, SvcError } from '../../proto/errors/svc-error.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import { pathText, requireQueryText } from '../http/path-text.ts';
import type { RequestHead } from '../http/request-head.ts';
import { presentedCredential } from '../identity/credentials.ts';
import type { EndpointContext } from './context.ts';
import type { Endpoint, EndpointRequest, Outcome } from './define.ts';
import { requireBodyType } from './media-type.ts';
import { problemReply } from './problem.ts';
import type { LimitedCall, RateLimits } from './rate-limits.ts';
import type { RouteMeter, Telemetry } from './telemetry.ts';

/**
 * The one pipeline that every request goes through: sound framing, size, a node that still takes work, a readable address,
 * one credential, a JSON body; then the handler; then the answer. Nothing here throws out of it, and nothing waits that need not.
 */
export class MountedEndpoint {
  readonly #deps: MountDeps;
  readonly #endpoint: Endpoint;
  readonly #meter: RouteMeter;

  constructor(deps: MountDeps, endpoint: Endpoint) {
    this.#deps = deps;
    this.#endpoint = endpoint;
    this.#meter = deps.telemetry.meter(endpoint.method, endpoint.path);
  }

  receive(exchange: Exchange): void {
    try {
      this.#admit(exchange);
      const request = this.#request(exchange);
      if (this.#endpoint.body === undefined) return this.#handle(exchange, request);
      requireBodyType(exchange.head, this.#endpoint.takesForm === true);
      if (!exchange.head.hasBody) return this.#handle(exchange, request);
      exchange.onGone(() => this.#meter.gone());
      exchange.readBody((body) => this.#handleBody(exchange, request, body));
    } catch (thrown) {
      this.#fail(exchange, thrown);
    }
  }

  /** What concerns the connection: where this fails, it closes. */
  #admit(exchange: Exchange): void {
    const { flaw, contentLength } = exchange.head;
    const { bodyBytesMax, server } = this.#deps;
    if (flaw === '' && contentLength <= bodyBytesMax && !server.isRefusing) return;
    exchange.closeAfter();
    if (flaw !== '') fail('bad_request', { values: { reason: `${flaw}.` } });
    if (contentLength > bodyBytesMax) fail('body_too_large', { values: { limit: bodyBytesMax } });
    fail('draining');
  }

  #request(exchange: Exchange): WritableRequest {
    const { head, params, query, requestId } = exchange;
    requireQueryText(query);
    return {
      params: params.map(pathText),
      query,
      body: noBody,
      credential: this.#endpoint.scope === 'public' ? '' : presentedCredential(head),
      requestId,
      traceparent: head.traceparent,
      ifMatch: head.ifMatch,
      ifNoneMatch: head.ifNoneMatch,
      idempotencyKey: this.#idempotencyKey(head),
      headers: head.lines,
      clientAddress: this.#endpoint.asksClient === true ? exchange.clientAddress() : '',
      acceptEncoding: head.acceptEncoding,
    };
  }

  #idempotencyKey({ idempotencyKey }: RequestHead): string {
    if (idempotencyKey === null || this.#endpoint.headers?.includes('Idempotency-Key') !== true) return '';
    if (idempotencyKeyPattern.test(idempotencyKey)) return idempotencyKey;
    return fail('bad_request', { values: { reason: 'Idempotency-Key must have 1 to 255 printable ASCII characters.' } });
  }

  #handleBody(exchange: Exchange, request: WritableRequest, body: Buffer | SvcError): void {
    if (body instanceof SvcError) {
      exchange.closeAfter();
      return this.#fail(exchange, body);
    }
    request.body = body;
    this.#handle(exchange, request);
  }

  #handle(exchange: Exchange, request: EndpointRequest): void {
    try {
      const admission = this.#deps.limits.mayLimit(this.#endpoint) ? this.#deps.limits.admit(this.#limitedCall(exchange, request)) : undefined;
      this.#settle(exchange, admission === undefined ? this.#outcome(request) : admission.then(() => this.#whenAdmitted(exchange, request)));
    } catch (thrown) {
      this.#fail(exchange, thrown);
    }
  }

  #outcome(request: EndpointRequest): Outcome {
    return this.#endpoint.handle(this.#deps.context, request);
  }

  /** Who had to wait for his turn may have gone meanwhile. */
  #whenAdmitted(exchange: Exchange, request: EndpointRequest): Promise<Reply> | Reply {
    if (!exchange.isOpen) return fail('timed_out');
    const outcome = this.#outcome(request);
    return 'cancel' in outcome ? outcome.answer : outcome;
  }

  #limitedCall(exchange: Exchange, { params, credential, requestId }: EndpointRequest): LimitedCall {
    const { limits, path } = this.#endpoint;
    let index = 0;
    return {
      action: limits,
      collection: path.startsWith('/api/svc/:name') ? (params[0] ?? '') : '',
      path: path.replaceAll(/:\w+/g, () => params[index++] ?? ''),
      // Routes that look at no credential are asked by guests, whatever was sent; the admin key is heeded all the same.
      isGuest: credential === '',
      credential: credential === '' ? this.#presented(exchange) : credential,
      clientAddress: exchange.clientAddress(),
      requestId,
    };
  }

  #presented({ head }: Exchange): string {
    try {
      return presentedCredential(head);
    } catch {
      return '';
    }
  }

  #settle(exchange: Exchange, outcome: Outcome): void {
    if ('status' in outcome) return this.#answer(exchange, outcome);
    const isCancellable = 'cancel' in outcome;
    exchange.onGone(() => {
      this.#meter.gone();
      if (isCancellable) outcome.cancel();
    });
    (isCancellable ? outcome.answer : outcome).then(
      (reply) => this.#answer(exchange, reply),
      (thrown: unknown) => this.#fail(exchange, thrown),
    );
  }

  #answer(exchange: Exchange, reply: Reply): void {
    if (!exchange.isOpen) return;
    this.#meter.answered(exchange, reply.status);
    exchange.send(reply);
  }

  #fail(exchange: Exchange, thrown: unknown): void {
    if (!exchange.isOpen) return;
    const error = asSvcError(thrown, exchange.requestId);
    if (error.code === 'internal') this.#deps.telemetry.internal(error, { requestId: exchange.requestId, route: this.#endpoint.path });
    this.#answer(exchange, problemReply(error));
  }
}

export interface MountDeps {
  readonly context: EndpointContext;
  readonly telemetry: Telemetry;
  readonly bodyBytesMax: number;
  readonly limits: Pick<RateLimits, 'mayLimit' | 'admit'>;
  readonly server: { readonly isRefusing: boolean };
}

type WritableRequest = { -readonly [Key in keyof EndpointRequest]: EndpointRequest[Key] };

const noBody = Buffer.alloc(0);
const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;
