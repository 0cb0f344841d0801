import { CollectionsService, type CollectionReply, type PlanOptions } from '../../proto/gen/svc/v1/collections.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { ServedUnary } from '../../proto/rpc/unary.ts';
import type { Around, CollectionDeps, PlanRequest } from '../collections/change-schema.ts';
import { createCollection } from '../collections/create.ts';
import { describeCollections } from '../collections/describe.ts';
import { dropCollection } from '../collections/drop.ts';
import { getCollection } from '../collections/get.ts';
import { listCollections } from '../collections/list.ts';
import { truncateCollection } from '../collections/truncate.ts';
import { updateCollection } from '../collections/update.ts';
import { once } from '../idempotency/once.ts';
import type { Credentials } from '../principal/credentials.ts';

/** What the collections service stands on. */
export interface CollectionsServiceDeps {
  readonly collections: CollectionDeps;
  readonly credentials: Credentials;
}

type Planned<Request> = Request & { readonly plan: PlanOptions | undefined };

/** Adds the collections service to `server`; all but the public description is the administrator's. */
export function addCollections(server: RpcServer, { collections, credentials }: CollectionsServiceDeps): void {
  const forAdmin =
    <Request>(work: (request: Request, call: ServedUnary) => Promise<string>) =>
    async (request: Request, call: ServedUnary): Promise<CollectionReply> => {
      credentials.requireAdmin(call.credential);
      return { body: Buffer.from(await work(request, call)) };
    };
  server.add(CollectionsService, {
    list: forAdmin(() => listCollections(collections)),
    get: forAdmin(({ name }: { name: string }) => getCollection(collections, { name })),
    create: forAdmin(({ body, plan }: Planned<{ body: Buffer }>, call) =>
      createCollection(collections, { body, plan: planOf(plan), around: onceFor(call, { method: 'POST', path: '/api/svc', body }) }),
    ),
    update: forAdmin(({ name, body, plan }: Planned<{ name: string; body: Buffer }>, call) =>
      updateCollection(collections, { name, body, plan: planOf(plan), around: onceFor(call, { method: 'PATCH', path: `/api/svc/${name}`, body }) }),
    ),
    delete: forAdmin(({ name, plan }: Planned<{ name: string }>, call) =>
      dropCollection(collections, { name, plan: planOf(plan), around: onceFor(call, { method: 'DELETE', path: `/api/svc/${name}`, body: noBody }) }),
    ),
    truncate: forAdmin(({ name }: { name: string }, call) =>
      truncateCollection(collections, { name, around: onceFor(call, { method: 'POST', path: `/api/svc/${name}/truncate`, body: noBody }) }),
    ),
    describe: async ({ knownVersion }) => {
      const { version, text } = await describeCollections(collections, { knownVersion: String(knownVersion) });
      return { version: BigInt(version), collections: Buffer.from(text) };
    },
  });
}

const noBody = Buffer.alloc(0);

/** Has a change made once for the call's Idempotency-Key; a later twin gets the first one's answer. */
function onceFor(
  { idempotencyKey: key }: ServedUnary,
  request: { readonly method: string; readonly path: string; readonly body: Buffer },
): Around | undefined {
  if (key === '') return undefined;
  return async (tx, work) => {
    const kept = await once(tx, { principal: 'admin', key, ...request }, async () => ({ status: 200, body: await work(), etag: '' }));
    return kept.body;
  };
}

function planOf(plan: PlanOptions | undefined): PlanRequest {
  return { only: plan?.only ?? false, hash: plan?.hash ?? '' };
}
