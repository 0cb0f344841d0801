import { httpLoad, httpRequest } from '../load/http-load.ts';
import { BenchFailure } from '../failure.ts';
import type { Service } from '../cluster/service.ts';
import { collectionBody, ENTRIES, itemBody, itemId, ITEMS } from './items.ts';

/** Creates both collections and the records of the read one, through the service's own API, so that they are stored as any record is. */
export async function fill(service: Service, rows: number): Promise<void> {
  for (const name of [ITEMS, ENTRIES]) await createCollection(service, name);
  let sent = 0;
  const path = `/api/svc/${ITEMS}/records`;
  const answered = await httpLoad({
    host: service.host,
    port: service.port,
    connections: Math.min(64, rows),
    next: () => {
      if (sent === rows) return undefined;
      const body = JSON.stringify({ id: itemId(sent), ...itemBody(sent) });
      sent += 1;
      return httpRequest('POST', path, body);
    },
    answered: (status, body) => {
      if (status !== 201) throw new BenchFailure(`filling the table: status ${status}: ${body.toString().slice(0, 300)}`);
    },
  });
  if (answered !== rows) throw new BenchFailure(`filling the table: ${answered} of ${rows} records were made`);
}

async function createCollection(service: Service, name: string): Promise<void> {
  const answer = await fetch(`${service.baseUrl}/api/svc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': service.adminKey },
    body: collectionBody(name),
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.status !== 201) throw new BenchFailure(`creating the collection ${name}: status ${answer.status}: ${await answer.text()}`);
}
