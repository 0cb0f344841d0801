import type { Ids } from '../../proto/values/ids.ts';

/** Names requests: the client's own id where it is a proper one, else a random start and a count, which costs no random bytes per request. */
export class RequestIds {
  readonly #start: string;
  #count = 0;

  constructor(ids: Pick<Ids, 'short'>) {
    this.#start = `${ids.short()}${ids.short()}`;
  }

  of(given: string): string {
    if (given !== '' && requestIdPattern.test(given)) return given;
    this.#count += 1;
    return `${this.#start}-${this.#count.toString(36)}`;
  }
}

/** What a client may give as its request id; anything else is replaced, for it stands in logs and headers. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;
