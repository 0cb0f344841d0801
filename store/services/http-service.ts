import type { HttpAnswer, HttpCall } from '../../proto/gen/svc/v1/http.ts';
import type { ServedUnary } from '../../proto/rpc/unary.ts';
import type * as schema from '../../proto/schema/http-call.ts';
import type { Credentials } from '../principal/credentials.ts';
import type { Principal } from '../principal/principal.ts';

type Served = (call: HttpCall, info: ServedUnary) => Promise<HttpAnswer>;
type Answered = Promise<schema.HttpAnswer>;

/** Ways to serve use cases that take a request and give an answer; each says who may ask. */
export class HttpServing<Deps> {
  readonly #deps: Deps;
  readonly #credentials: Credentials;

  constructor(deps: Deps, credentials: Credentials) {
    this.#deps = deps;
    this.#credentials = credentials;
  }

  /** For everybody: credentials are not looked at. */
  open(work: (deps: Deps, call: schema.HttpCall) => Answered): Served {
    return async (call, { requestId }) => answerOf(await work(this.#deps, { ...call, requestId }));
  }

  /** For everybody; the credential is told as it was presented. */
  presented(work: (deps: Deps, call: schema.HttpCall, credential: string) => Answered): Served {
    return async (call, { requestId, credential }) => answerOf(await work(this.#deps, { ...call, requestId }, credential));
  }

  /** For everybody whose credential is good; guests have none. */
  known(work: (deps: Deps, call: schema.HttpCall, principal: Principal) => Answered): Served {
    return async (call, { requestId, credential }) =>
      answerOf(await work(this.#deps, { ...call, requestId }, await this.#credentials.principalOf(credential)));
  }

  /** For root and the admin key. */
  privileged(work: (deps: Deps, call: schema.HttpCall, principal: Principal) => Answered): Served {
    return async (call, { requestId, credential }) =>
      answerOf(await work(this.#deps, { ...call, requestId }, await this.#credentials.requirePrivileged(credential)));
  }
}

function answerOf({ status, body, headers = {} }: schema.HttpAnswer): HttpAnswer {
  return { status, body: Buffer.from(body), headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
}
