import { Pool } from 'undici';
import type { Shot } from './load.ts';

/** Many requests sent at once, each on a connection of its own and none repeated, for whom nobody waits. */
export class Volley implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #fired: Promise<unknown>;
  readonly statuses: number[] = [];

  constructor(input: { readonly baseUrl: string; readonly adminKey: string; readonly shots: readonly Shot[] }) {
    const { baseUrl, adminKey, shots } = input;
    this.#pool = new Pool(baseUrl, { connections: shots.length, pipelining: 1, headersTimeout: 0 });
    this.#fired = Promise.all(shots.map((shot) => this.#fire(shot, adminKey)));
  }

  /** Hangs up on what is not answered yet. */
  async close(): Promise<void> {
    await this.#pool.destroy();
    await this.#fired;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #fire({ method, path, body, headers }: Shot, adminKey: string): Promise<void> {
    try {
      const answer = await this.#pool.request({
        method,
        path,
        headers: { 'x-admin-key': adminKey, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      await answer.body.dump();
      this.statuses.push(answer.statusCode);
    } catch {
      // Cut off by `close`.
    }
  }
}
