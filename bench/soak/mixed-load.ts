import { collectionBody, itemBody, itemId } from '../data/items.ts';
import { BenchFailure } from '../failure.ts';
import { httpLoad, httpRequest } from '../load/http-load.ts';
import type { SoakTarget } from './target.ts';

const COLLECTION = 'soak_items';
const RECORDS = `/api/svc/${COLLECTION}/records`;
// A deleted record was created this many creations ago: far more than can be under way at once.
const DELETE_LAG = 2000;

export interface MixedLoad {
  readonly records: number;
  readonly connections: number;
}

/** Of 20 requests: 10 views, 2 lists, 3 creations, 3 updates, 2 deletions. Any refusal ends the load. */
export class MixedLoadRun {
  readonly #target: SoakTarget;
  readonly #load: MixedLoad;
  #stopped = false;
  #sent = 0;
  #created = 0;
  #deleted = 0;

  constructor(target: SoakTarget, load: MixedLoad) {
    this.#target = target;
    this.#load = load;
  }

  /** Creates the collection and the records that stay. */
  async prepare(): Promise<void> {
    const answer = await fetch(`${this.#target.baseUrl}/api/svc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-admin-key': this.#target.adminKey },
      body: collectionBody(COLLECTION),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status !== 201) throw new BenchFailure(`creating the collection: status ${answer.status}: ${await answer.text()}`);
    let sent = 0;
    await this.#run(() => (sent < this.#load.records ? creation(itemId(sent), sent++) : undefined));
  }

  /** Loads until `stop`; answers how many requests were answered. */
  run(): Promise<number> {
    return this.#run(() => (this.#stopped ? undefined : this.#next()));
  }

  stop(): void {
    this.#stopped = true;
  }

  #run(next: () => Buffer | undefined): Promise<number> {
    const { host, port } = this.#target;
    return httpLoad({ host, port, connections: this.#load.connections, next, answered: refuseErrors });
  }

  #next(): Buffer {
    const turn = (this.#sent += 1);
    const kind = (turn * 7) % 20; // 7 is prime to 20: every kind comes round evenly
    const one = `${RECORDS}/${itemId((turn * 7919) % this.#load.records)}`;
    if (kind < 10) return httpRequest('GET', one);
    if (kind < 12) return httpRequest('GET', `${RECORDS}?page=${1 + (turn % 10)}${kind === 10 ? '' : '&sort=rank'}`);
    if (kind < 15) return creation(`soak${(this.#created += 1)}`, turn);
    if (kind < 18 || this.#deleted + DELETE_LAG >= this.#created) return httpRequest('PATCH', one, JSON.stringify({ rank: turn % 10_000 }));
    return httpRequest('DELETE', `${RECORDS}/soak${(this.#deleted += 1)}`);
  }
}

function creation(id: string, n: number): Buffer {
  return httpRequest('POST', RECORDS, JSON.stringify({ id, ...itemBody(n) }));
}

function refuseErrors(status: number, body: Buffer): void {
  if (status >= 300) throw new BenchFailure(`a request was answered ${status}: ${body.toString().slice(0, 300)}`);
}
