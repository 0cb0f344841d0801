import assert from 'node:assert/strict';
import { test } from 'node:test';
import { define, reply, type Endpoint } from '../../../gateway/endpoint/define.ts';
import { genericDocument } from '../../../gateway/openapi/generic-document.ts';
import { liveDocument } from '../../../gateway/openapi/live-document.ts';
import { pathTemplate } from '../../../gateway/openapi/operation.ts';
import { recordSchemas } from '../../../gateway/openapi/record-schemas.ts';
import { Specification } from '../../../gateway/openapi/specification.ts';
import { recordEndpoints } from '../../../gateway/routes/records/record-endpoints.ts';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import type { Collection } from '../../../proto/schema/collection.ts';

const common = { id: 'f', required: false, unique: false, hidden: false, default: null };

function collection(name: string, fields: Collection['fields'] = []): Collection {
  const locked = { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null };
  return { id: name, name, type: 'base', system: false, fields, indexes: [], rules: locked, created_at: '', updated_at: '' };
}

test('parameters of a path are written in braces', () => {
  assert.equal(pathTemplate('/api/svc/:name/records/:id'), '/api/svc/{name}/records/{id}');
});

test('an endpoint that is not documented is not in the document', () => {
  const hidden: Endpoint = define({
    method: 'GET',
    path: '/hidden',
    operationId: 'hidden',
    tag: 'System',
    scope: 'public',
    summary: 'Hidden',
    answers: {},
    errors: [],
    isDocumented: false,
    handle: () => reply(204),
  });

  assert.deepEqual(Object.keys(genericDocument([hidden, ...recordEndpoints]).paths ?? {}), [
    '/api/svc/{name}/records',
    '/api/svc/{name}/records/{id}',
    '/api/batch',
  ]);
});

test('nullable fields are nullable, enums list null, lists are never null', () => {
  const { Record: record } = recordSchemas(
    collection('a', [
      { ...common, name: 'text', type: 'text' },
      { ...common, name: 'kind', type: 'select', options: ['x'], maxSelect: 1 },
      { ...common, name: 'kinds', type: 'select', options: ['x'], maxSelect: 2 },
    ]),
  );
  const { text, kind, kinds } = record['properties'] as Record<string, Record<string, unknown>>;

  assert.equal(text?.['nullable'], true);
  assert.deepEqual([kind?.['nullable'], kind?.['enum']], [true, ['x', null]]);
  assert.equal(kinds?.['nullable'], undefined);
});

test('a required field with a default need not be sent', () => {
  const { RecordCreate: create } = recordSchemas(
    collection('a', [
      { ...common, name: 'needed', type: 'text', required: true },
      { ...common, name: 'filled', type: 'text', required: true, default: 'x' },
    ]),
  );

  assert.deepEqual(create['required'], ['needed']);
});

test('every collection has paths of its own, system collections have none', () => {
  const live = liveDocument(genericDocument(recordEndpoints), [collection('posts'), { ...collection('_inner'), system: true }]);

  assert.deepEqual(
    Object.keys(live.paths ?? {}).filter((path) => !path.includes('{name}')),
    ['/api/batch', '/api/svc/posts/records', '/api/svc/posts/records/{id}'],
  );
  assert.doesNotMatch(JSON.stringify(live.paths?.['/api/svc/posts/records']), /schemas\/Record(Input|List)?"/);
});

const asked = { requestId: 'r', ifNoneMatch: '' };

test('the document is asked for once however many want it at the same time', async () => {
  let questions = 0;
  const specification = new Specification(
    { describe: async () => ({ version: 1n, collections: Buffer.from(`[]${' '.repeat((questions += 1))}`) }) },
    { endpoints: recordEndpoints },
  );

  await Promise.all(Array.from({ length: 50 }, () => specification.json(asked)));

  assert.equal(questions, 1);
});

test('while no store answers the last document known is given, and none before there was one', async () => {
  const source = { answer: Promise.reject<{ version: bigint; collections: Buffer }>(new SvcError('unavailable')) };
  source.answer.catch(() => undefined);
  const specification = new Specification({ describe: () => source.answer }, { endpoints: recordEndpoints, askAgainMs: 0 });

  await assert.rejects(specification.json(asked), { code: 'unavailable' });
  source.answer = Promise.resolve({ version: 1n, collections: Buffer.from(JSON.stringify([collection('posts')])) });
  const known = await specification.json(asked);
  source.answer = Promise.reject(new SvcError('unavailable'));
  source.answer.catch(() => undefined);
  const still = await specification.json(asked);

  assert.match(String(known.body), /\/api\/svc\/posts\/records/);
  assert.equal(still.body, known.body);
});

test('an equal version makes no new document', async () => {
  const versions: bigint[] = [];
  const describe = async (_requestId: string, known: bigint) => {
    versions.push(known);
    return { version: 7n, collections: known === 7n ? Buffer.alloc(0) : Buffer.from('[]') };
  };
  const specification = new Specification({ describe }, { endpoints: recordEndpoints, askAgainMs: 0 });

  const first = await specification.json(asked);
  const second = await specification.json(asked);

  assert.deepEqual(versions, [0n, 7n]);
  assert.equal(second.body, first.body);
});
