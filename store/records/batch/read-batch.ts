import { fail, fault } from '../../../proto/errors/svc-error.ts';
import { FaultList } from '../../../proto/schema/faults.ts';
import { recordIdPattern, type Ids } from '../../../proto/values/ids.ts';
import { elementTexts, memberTexts, parseJson } from '../../../proto/values/json.ts';
import { readParameters } from '../parameters.ts';
import { withReferences } from './references.ts';

/** One write of a batch. */
export interface BatchWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly collection: string;
  /** The record's id; a create's is made beforehand where the body gives none. */
  readonly id: string;
  /** The query string of its path. */
  readonly query: string;
  /** An object's JSON text, its values as they were sent. */
  readonly body: string;
  /** The password that it gives an account, if it does. */
  readonly password: unknown;
}

const batchWritesMax = 100;

/** Reads the body of a batch (CONTRACT section 3): each path and body looked at, references to earlier ids filled in. */
export function readBatch(bytes: Uint8Array, ids: Pick<Ids, 'record'>): readonly BatchWrite[] {
  const { value, text } = parseJson(bytes);
  const requests: unknown = isObject(value) ? value['requests'] : undefined;
  if (!Array.isArray(requests)) return fail('validation_failed', { data: { requests: fault('invalid_type', { expected: 'a list of writes' }) } });
  if (requests.length === 0 || requests.length > batchWritesMax)
    return fail('validation_failed', { data: { requests: fault('invalid_value', { reason: `must hold 1 to ${batchWritesMax} writes` }) } });
  const faults = new FaultList();
  const writes: BatchWrite[] = [];
  const texts = elementTexts(memberTexts(text).get('requests') ?? '[]');
  for (const [index, request] of requests.entries()) {
    const read = readWrite(request, { index, text: texts[index] ?? '{}', earlier: writes, ids, faults });
    if (read !== undefined) writes[index] = read;
  }
  faults.throwIfAny();
  return writes;
}

interface Reading {
  readonly index: number;
  /** The write, as it was sent. */
  readonly text: string;
  readonly earlier: readonly BatchWrite[];
  readonly ids: Pick<Ids, 'record'>;
  readonly faults: FaultList;
}

function readWrite(request: unknown, reading: Reading): BatchWrite | undefined {
  const { index, faults, ids } = reading;
  const at = (member: string): readonly (string | number)[] => ['requests', index, member];
  if (!isObject(request)) {
    faults.add(['requests', index], fault('invalid_type', { expected: 'an object with method, path and body' }));
    return undefined;
  }
  const { method, path, url } = request;
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE')
    faults.add(at('method'), fault('invalid_value', { reason: 'must be POST, PATCH or DELETE' }));
  const target = targetOf(method, pathOf(path ?? url, reading));
  if (target === undefined)
    faults.add(at('path'), fault('invalid_value', { reason: 'must be /api/svc/<collection>/records, with /<id> behind it but for POST' }));
  if (target !== undefined && showsOtherwise(target.query))
    faults.add(at('path'), fault('invalid_value', { reason: 'takes no fields or expand in a batch' }));
  const body = bodyOf(reading);
  if (target === undefined || body === undefined) return undefined;
  const id = target.id === '' ? idOf(body.members, ids) : target.id;
  return { method: method as BatchWrite['method'], ...target, id, body: body.text, password: body.members['password'] };
}

/** What is shown otherwise than it was written can be read by itself. */
function showsOtherwise(query: string): boolean {
  const parameters = readParameters(query);
  return parameters.has('fields') || parameters.has('expand');
}

interface ReadBody {
  readonly text: string;
  readonly members: Readonly<Record<string, unknown>>;
}

function bodyOf({ index, text, earlier, faults }: Reading): ReadBody | undefined {
  const filled = withReferences(memberTexts(text).get('body') ?? '{}', (other) => earlier[other]?.id);
  if (filled.missing !== undefined)
    faults.add(['requests', index, '$ref'], fault('invalid_value', { reason: 'must name an earlier write, such as {"$ref": "0.id"}' }));
  const members: unknown = JSON.parse(filled.text);
  if (isObject(members)) return { text: filled.text, members };
  faults.add(['requests', index, 'body'], fault('invalid_type', { expected: 'an object' }));
  return undefined;
}

/** A body's own id is checked with the rest of it; one that is no id stays, to be refused there. */
function idOf(body: Readonly<Record<string, unknown>>, ids: Pick<Ids, 'record'>): string {
  const given = body['id'];
  return given === undefined || given === null || given === '' ? ids.record() : (given as string);
}

const pathPattern = /^\/api\/svc\/([^/?#]+)\/records(?:\/([^/?#]+))?(?:\?([^#]*))?$/;

function targetOf(method: unknown, path: unknown): Pick<BatchWrite, 'collection' | 'id' | 'query'> | undefined {
  const match = typeof path === 'string' ? pathPattern.exec(path) : null;
  if (match === null) return undefined;
  const [, collection = '', id = '', query = ''] = match;
  if ((method === 'POST') !== (id === '') || (id !== '' && !recordIdPattern.test(id))) return undefined;
  return { collection, id, query };
}

/** In a path `{0.id}` stands for the id of an earlier write. */
function pathOf(path: unknown, { earlier }: Reading): unknown {
  if (typeof path !== 'string') return path;
  return path.replaceAll(/\{(\d{1,2})\.id\}/g, (reference, index: string) => earlier[Number(index)]?.id ?? reference);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
