import type { RequestValues } from '../../rules/index.ts';
import type { Principal } from '../../principal/principal.ts';

/** What a rule may know of a request; made for every judged one, so the query is parsed only when a rule asks. */
export class RuleRequest implements RequestValues {
  readonly auth: RequestValues['auth'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>> = none;
  readonly method: string;
  readonly context = 'default';
  readonly #query: string;

  constructor(principal: Principal, input: RuleRequestInput) {
    this.auth = principal.kind === 'user' || principal.kind === 'root' ? principal.account : null;
    this.body = input.body ?? none;
    this.method = input.method;
    this.#query = input.query;
  }

  get query(): Readonly<Record<string, string>> {
    return Object.fromEntries(new URLSearchParams(this.#query));
  }
}

export interface RuleRequestInput {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The query string as it was sent. */
  readonly query: string;
  /** The members of the body, where there is one. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const none: Readonly<Record<string, never>> = {};
