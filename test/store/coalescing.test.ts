import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { compare, figuresOf, mustHold, type Figures } from '../support/figures.ts';
import { Hold } from '../support/hold.ts';
import { openStore, type TestStore } from '../support/store.ts';

const strangers = 32;
/** Many, because Postgres keeps every version of a record that a held transaction might see, and its own pace falls with them. */
const recordsEach = 64;
const pairs = 5;
const phaseMs = 250;
const heldIds = Array.from({ length: 10 }, (_, index) => `held${index}`);
const uncoupled = { rate: 0.7, p99: 2 };

describe('coalesced writes', () => {
  let store: TestStore;
  let turn = 0;

  before(async () => {
    store = await openStore();
    await store.collection('targets', []);
    await store.collection('items', [
      { name: 'n', type: 'number' },
      { name: 'code', type: 'text', unique: true },
      { name: 'target', type: 'relation', relationConfig: { targetSvc: 'targets', cardinality: '1:N' } },
    ]);
    await Promise.all(
      Array.from({ length: strangers * recordsEach }, (_, index) => store.create('items', { id: `item${index}`, n: 0, code: `code${index}` })),
    );
    await Promise.all(heldIds.map((id) => store.create('items', { id, n: 0 })));
    await store.create('targets', { id: 'held' });
    await phase(change);
    await phase(create);
  });

  after(() => store.close());

  const change = (client: number): Promise<unknown> => {
    turn += 1;
    return store.update('items', `item${client * recordsEach + (turn % recordsEach)}`, { n: turn });
  };
  const create = (): Promise<unknown> => store.create('items', { n: 1, code: `new${(turn += 1)}` });

  /** Phases of strangers' writes, clean and beside `stuck` ones that wait for what is held, in turns. */
  const beside = (write: Write, held: () => Held) => () =>
    compare(
      pairs,
      () => phase(write),
      async () => {
        const { hold, stuck } = held();
        await using _ = await Hold.open(store.database.url, hold);
        return await phase(write, stuck);
      },
    );

  it('of others keep their pace while one record is locked and written to without end', async () => {
    const [id = ''] = heldIds;
    const held = { hold: `select from data.items where id = '${id}' for update`, stuck: [() => store.update('items', id, { n: (turn += 1) })] };

    await mustHold(
      uncoupled,
      beside(change, () => held),
    );
  });

  it('of others keep their pace while ten records are locked and written to without end', async () => {
    const hold = `select from data.items where id in (${heldIds.map((id) => `'${id}'`).join()}) for update`;
    const stuck = heldIds.map((id) => () => store.update('items', id, { n: (turn += 1) }));

    await mustHold(
      uncoupled,
      beside(change, () => ({ hold, stuck })),
    );
  });

  it('of others keep their pace while twelve clients refer to a record that is locked', async () => {
    const hold = `select from data.targets where id = 'held' for update`;
    const stuck = Array.from({ length: 12 }, () => () => store.create('items', { target: 'held', code: `new${(turn += 1)}` }));

    await mustHold(
      uncoupled,
      beside(create, () => ({ hold, stuck })),
    );
  });

  it('go on while a transaction holds a key that one client asks for', async () => {
    const held = (): Held => {
      const code = `held${(turn += 1)}`;
      return { hold: `insert into data.items (id, code) values ('uncommitted', '${code}')`, stuck: [() => store.create('items', { code })] };
    };

    // Each time it is asked for, one batch waits out its lock timeout. Without one the rate would be next to nothing.
    await mustHold({ rate: 0.5, p99: 4 }, beside(create, held));
  });

  it('keep their pace when one of a hundred has a key that is taken, and only that one is refused', async () => {
    const codes: unknown[] = [];
    let writes = 0;
    const mixed = async (): Promise<unknown> => {
      if ((writes += 1) % 100 > 0) return create();
      return store.create('items', { code: 'code0' }).then(
        () => codes.push('written'),
        (error: { code?: string }) => codes.push(error.code),
      );
    };

    await mustHold(uncoupled, () =>
      compare(
        pairs,
        () => phase(create),
        () => phase(mixed),
      ),
    );

    assert.ok(codes.length > 10);
    assert.deepEqual([...new Set(codes)], ['validation_failed']);
  });

  it('that are refused hear it at once while twelve others wait for a locked record', async () => {
    await using _ = await Hold.open(store.database.url, `select from data.targets where id = 'held' for update`);
    const waiting = Array.from({ length: 12 }, () => store.create('items', { target: 'held' }).catch((error: unknown) => error));
    await phase(create);
    const startedAt = performance.now();

    await assert.rejects(store.create('items', { code: 'code0' }), { code: 'validation_failed' });

    assert.ok(performance.now() - startedAt < 2_000);
    await _.close();
    await Promise.all(waiting);
  });
});

type Write = (client: number) => Promise<unknown>;

interface Held {
  readonly hold: string;
  /** Writes that wait for it. */
  readonly stuck: readonly (() => Promise<unknown>)[];
}

/** Closed loops of strangers for a while. Those that are to be stuck begin one after the other, all along, and are left behind. */
async function phase(write: Write, stuck: readonly (() => Promise<unknown>)[] = []): Promise<Figures> {
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > phaseMs;
  const latencies: number[] = [];
  const begin = (one: () => Promise<unknown>): void => void loop(isOver, () => one().catch(() => undefined));
  stuck.forEach((one, index) => setTimeout(() => begin(one), (index / stuck.length) * phaseMs));
  const measured = async (client: number): Promise<void> => {
    const from = performance.now();
    await write(client);
    latencies.push(performance.now() - from);
  };
  await Promise.all(Array.from({ length: strangers }, (_, client) => loop(isOver, () => measured(client))));
  return figuresOf(latencies, performance.now() - startedAt);
}

async function loop(isOver: () => boolean, once: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await once();
}
