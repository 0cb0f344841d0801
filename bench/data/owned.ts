import { BenchFailure } from '../failure.ts';
import type { Service } from '../cluster/service.ts';
import { httpLoad, httpRequest } from '../load/http-load.ts';
import { collectionBody, itemBody, itemId } from './items.ts';

/** Items that belong to accounts: one collection whose rule says so, and one open to everybody. */
export const OWNED = 'bench_owned';
export const UNOWNED = 'bench_unowned';
const PEOPLE = 'bench_people';

const ROWS = 20_000;
const OWNERS = 100;
/** The account that reads; its items are every hundredth. */
const READER = 'owner7';
const PASSWORD = 'the reader of the bench';

/** Makes both collections and their records through the service, and answers the reader's token. */
export async function fillOwned(service: Service): Promise<string> {
  const people = { name: PEOPLE, type: 'auth', fields: [] };
  await post(service, '/api/svc', people, 201);
  for (let owner = 0; owner < OWNERS; owner += 1) {
    const secret = `owner${owner}` === READER ? { password: PASSWORD } : {};
    await post(service, `/api/svc/${PEOPLE}/records`, { id: `owner${owner}`, username: `owner${owner}`, ...secret }, 201);
  }
  const own = 'owner = @request.auth.id';
  await post(service, '/api/svc', collection(OWNED, own), 201);
  await post(service, '/api/svc', collection(UNOWNED, ''), 201);
  for (const name of [OWNED, UNOWNED]) await fillOne(service, name);
  const { token } = (await post(service, `/api/svc/${PEOPLE}/auth-with-password`, { identity: READER, password: PASSWORD }, 200)) as {
    token: string;
  };
  return token;
}

/** The paths of the reader's records. */
export function readersRecords(name: string): string[] {
  const mine = Array.from({ length: ROWS }, (_, n) => n).filter((n) => `owner${n % OWNERS}` === READER);
  return mine.map((n) => `/api/svc/${name}/records/${itemId(n)}`);
}

function collection(name: string, rule: string): unknown {
  const { fields, indexes, rules, ...rest } = JSON.parse(collectionBody(name)) as { fields: unknown[]; indexes: unknown[]; rules: object };
  const owner = { name: 'owner', type: 'relation', relationConfig: { targetSvc: PEOPLE } };
  return {
    ...rest,
    fields: [...fields, owner],
    indexes: [...indexes, { fields: ['owner', '-created_at'] }],
    rules: { ...rules, listRule: rule, viewRule: rule },
  };
}

async function fillOne(service: Service, name: string): Promise<void> {
  let sent = 0;
  await httpLoad({
    host: service.host,
    port: service.port,
    connections: 32,
    next: () => {
      if (sent === ROWS) return undefined;
      const body = JSON.stringify({ id: itemId(sent), ...itemBody(sent), owner: `owner${sent % OWNERS}` });
      sent += 1;
      return httpRequest('POST', `/api/svc/${name}/records`, body);
    },
    answered: (status, body) => {
      if (status !== 201) throw new BenchFailure(`filling ${name}: status ${status}: ${body.toString().slice(0, 300)}`);
    },
  });
}

async function post(service: Service, path: string, body: unknown, status: number): Promise<unknown> {
  const answer = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': service.adminKey },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.status !== status) throw new BenchFailure(`POST ${path}: status ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
