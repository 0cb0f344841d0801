import type { RequestValues } from '../../rules/index.ts';
import type { Principal } from '../../principal/principal.ts';

/** What a rule may know of a request; made for every judged one, so query and headers are parsed only when a rule asks. */
export class RuleRequest implements RequestValues {
  readonly auth: RequestValues['auth'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly method: string;
  readonly context = 'default';
  readonly changes: ReadonlySet<string> | undefined;
  readonly #principal: Principal;
  readonly #input: RuleRequestInput;

  constructor(principal: Principal, input: RuleRequestInput, changes?: ReadonlySet<string>) {
    this.auth = principal.kind === 'user' || principal.kind === 'root' ? principal.account : null;
    this.body = input.body ?? none;
    this.method = input.method;
    this.changes = changes;
    this.#principal = principal;
    this.#input = input;
  }

  get query(): Readonly<Record<string, string>> {
    return Object.fromEntries(new URLSearchParams(this.#input.query));
  }

  /** A header that stands twice is one list (RFC 9110, 5.3). */
  get headers(): Readonly<Record<string, string>> {
    const found = new Map<string, string>();
    for (const [, header = '', value = ''] of this.#input.headers.matchAll(headerLine)) {
      const name = header.replaceAll('-', '_');
      const before = found.get(name);
      found.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    return Object.fromEntries(found);
  }

  /** The same request, for a row as it is after `changes` to these fields. */
  after(changes: Iterable<string>): RuleRequest {
    return new RuleRequest(this.#principal, this.#input, new Set(changes));
  }
}

export interface RuleRequestInput {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The query string as it was sent. */
  readonly query: string;
  /** The header lines, `name: value` each. */
  readonly headers: string;
  /** The members of the body, where there is one. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const headerLine = /^([^:\n]+): (.*)$/gm;

const none: Readonly<Record<string, never>> = {};
