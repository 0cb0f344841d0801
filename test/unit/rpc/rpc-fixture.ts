import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RecordsService } from '../../../proto/gen/svc/v1/records.ts';
import { LanePool, type LanePoolOptions } from '../../../proto/rpc/lane-pool.ts';
import { LaneServer, type LaneServerOptions } from '../../../proto/rpc/lane-server.ts';
import { RpcServer } from '../../../proto/rpc/server.ts';
import type { RpcIdentity } from '../../../proto/rpc/identity.ts';

export const identity: RpcIdentity = { clusterKey: 'the key of a cluster under test' };

/** A log that remembers. */
export class TestLog {
  readonly lines: { readonly level: string; readonly fields: unknown; readonly message: string | undefined }[] = [];
  readonly debug = this.#keeper('debug');
  readonly info = this.#keeper('info');
  readonly warn = this.#keeper('warn');
  readonly error = this.#keeper('error');

  #keeper(level: string): (fields: unknown, message?: string) => void {
    return (fields, message) => void this.lines.push({ level, fields, message });
  }
}

/** A folder for sockets, for its owner alone. */
export class SocketFolder implements Disposable {
  readonly path = mkdtempSync(path.join(tmpdir(), 'svc-rpc-'));

  address(name: string): string {
    return `unix:${this.path}/${name}.sock`;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A lane from a gateway's pool to a service's handler, through a real socket. */
export class TestLane implements AsyncDisposable {
  readonly log = new TestLog();
  readonly folder = new SocketFolder();
  readonly lane: LaneServer;
  readonly server: RpcServer;
  readonly pool: LanePool;

  private constructor(options: TestLaneOptions) {
    const listen = this.folder.address('lane');
    this.lane = new LaneServer({ classOf: () => 'read', log: this.log, ...options.server });
    this.server = new RpcServer({ listen, identity, log: this.log, drainMs: 5000 });
    this.server.add(RecordsService, { pipe: this.lane });
    this.pool = new LanePool({ targets: listen, identity, path: RecordsService.pipe.path, log: this.log, warmUpMs: 0, ...options.client });
  }

  static async open(options: TestLaneOptions): Promise<TestLane> {
    const lane = new TestLane(options);
    await lane.server.listen();
    await lane.pool.whenReady();
    return lane;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close(0);
    await this.server.close();
    this.folder[Symbol.dispose]();
  }
}

export interface TestLaneOptions {
  readonly server: Pick<LaneServerOptions, 'handle'> & Partial<LaneServerOptions>;
  readonly client?: Partial<LanePoolOptions>;
}

/** Resolves once `condition` holds; the test fails when it never does. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error(`it never came to pass: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A promise that settles when it is told to. */
export class Latch {
  readonly opened: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}
