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
import type { BodyDigest } from '../idempotency/body-digest.ts';
import type { Credentials } from '../principal/credentials.ts';
import { principalKey } from '../principal/principal.ts';

/** What the collections service stands on. */
export interface CollectionsServiceDeps {
  readonly collections: CollectionDeps;
  readonly digest: BodyDigest;
  readonly credentials: Credentials;
}

/** By whom, and under which Idempotency-Key. */
interface Asked {
  readonly idempotencyKey: string;
  readonly principal: string;
  readonly digest: BodyDigest;
}

type Planned<Request> = Request & { readonly plan: PlanOptions | undefined };

/** Adds the collections service to `server`; all but the public description is for root users and the admin key. */
export function addCollections(server: RpcServer, { collections, credentials, digest }: CollectionsServiceDeps): void {
  const forRoot =
    <Request>(work: (request: Request, call: Asked) => Promise<string>) =>
    async (request: Request, call: ServedUnary): Promise<CollectionReply> => {
      const principal = await credentials.requirePrivileged(call.credential);
      return { body: Buffer.from(await work(request, { idempotencyKey: call.idempotencyKey, principal: principalKey(principal), digest })) };
    };
  server.add(CollectionsService, {
    list: forRoot(() => listCollections(collections)),
    get: forRoot(({ name }: { name: string }) => getCollection(collections, { name })),
    create: forRoot(({ body, plan }: Planned<{ body: Buffer }>, call) =>
      createCollection(collections, { body, plan: planOf(plan), around: onceFor(call, { method: 'POST', path: '/api/svc', body }) }),
    ),
    update: forRoot(({ name, body, plan }: Planned<{ name: string; body: Buffer }>, call) =>
      updateCollection(collections, { name, body, plan: planOf(plan), around: onceFor(call, { method: 'PATCH', path: `/api/svc/${name}`, body }) }),
    ),
    delete: forRoot(({ name, plan }: Planned<{ name: string }>, call) =>
      dropCollection(collections, { name, plan: planOf(plan), around: onceFor(call, { method: 'DELETE', path: `/api/svc/${name}`, body: noBody }) }),
    ),
    truncate: forRoot(({ name }: { name: string }, call) =>
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
  { idempotencyKey: key, principal, digest }: Asked,
  { body, ...request }: { readonly method: string; readonly path: string; readonly body: Buffer },
): Around | undefined {
  if (key === '') return undefined;
  return async (tx, work) => {
    const kept = await once(tx, { principal, key, digest: digest.of(body), ...request }, async () => ({ status: 200, body: await work(), etag: '' }));
    return kept.body;
  };
}

function planOf(plan: PlanOptions | undefined): PlanRequest {
  return { only: plan?.only ?? false, hash: plan?.hash ?? '' };
}
