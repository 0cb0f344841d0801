import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parse } from 'yaml';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { until } from '../support/until.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly responses: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

let cluster: Cluster;

before(async () => {
  cluster = await startCluster();
  const authors = await cluster.client().post('/api/svc', { name: 'authors', fields: [{ name: 'name', type: 'text', required: true }] });
  assert.equal(authors.status, 201);
  const everyType = await cluster.client().post('/api/svc', {
    name: 'everything',
    fields: [
      { name: 'title', type: 'text', required: true, min: 1, max: 80, pattern: '^[a-z]+$' },
      { name: 'amount', type: 'number', min: 0, max: 10 },
      { name: 'whole', type: 'number', integer: true },
      { name: 'flag', type: 'bool' },
      { name: 'mail', type: 'email' },
      { name: 'page', type: 'url' },
      { name: 'day', type: 'date' },
      { name: 'instant', type: 'datetime' },
      { name: 'extra', type: 'json' },
      { name: 'kind', type: 'select', options: ['a', 'b'] },
      { name: 'kinds', type: 'select', options: ['a', 'b'], maxSelect: 2 },
      { name: 'author', type: 'relation', relationConfig: { targetSvc: 'authors', cardinality: '1:N' } },
      { name: 'authors', type: 'relation', relationConfig: { targetSvc: 'authors', cardinality: 'M:N' } },
      { name: 'secret', type: 'text', hidden: true },
    ],
  });
  assert.equal(everyType.status, 201, everyType.text);
});

after(() => cluster.close());

test('a public linter finds neither errors nor warnings in the document', async () => {
  const { text } = await cluster.guest().get('/openapi.json');

  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config: await createConfig({ extends: ['recommended'] }) });

  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    [],
  );
});

test('the document is valid by the schema of OpenAPI 3.0', async () => {
  const answer = await cluster.guest().get('/openapi.json');

  const result = await new Validator().validate(answer.json());

  assert.equal(result.valid, true, JSON.stringify(result.errors));
});

test('JSON and YAML, at all four addresses, are one document', async () => {
  const [json, docsJson, yaml, docsYaml] = await Promise.all(
    ['/openapi.json', '/docs/openapi.json', '/openapi.yml', '/docs/openapi.yml'].map((path) => cluster.guest().get(path)),
  );

  assert.equal(json?.json<Document>().openapi, '3.0.3');
  assert.equal(docsJson?.text, json?.text);
  assert.equal(docsYaml?.text, yaml?.text);
  assert.deepEqual(parse(yaml?.text ?? ''), json?.json());
  assert.equal(yaml?.headers.get('content-type'), 'application/yaml; charset=utf-8');
});

test('the paths of the specification are all there, with unique operation ids', async () => {
  const { paths } = await document();
  const operations = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId));

  const expected = [
    'GET /api/svc',
    'POST /api/svc',
    'GET /api/svc/{name}',
    'PATCH /api/svc/{name}',
    'DELETE /api/svc/{name}',
    'POST /api/svc/{name}/truncate',
    'GET /api/svc/{name}/records',
    'POST /api/svc/{name}/records',
    'GET /api/svc/{name}/records/{id}',
    'PATCH /api/svc/{name}/records/{id}',
    'DELETE /api/svc/{name}/records/{id}',
    'GET /openapi.yml',
    'GET /docs/openapi.yml',
    'GET /openapi.json',
    'GET /docs/openapi.json',
    'GET /api/svc/everything/records',
    'PATCH /api/svc/everything/records/{id}',
  ];
  assert.deepEqual(
    expected.filter((operation) => !operations.includes(operation)),
    [],
  );
  assert.equal(new Set(ids).size, ids.length);
});

test("a collection's paths speak of its own fields, and hidden ones are nowhere", async () => {
  const { paths, components } = await document();
  const create = paths['/api/svc/everything/records']?.['post'];
  const view = paths['/api/svc/everything/records/{id}']?.['get'];

  assert.equal(create?.requestBody?.content['application/json']?.schema.$ref, '#/components/schemas/RecordCreate.everything');
  assert.deepEqual(
    view?.parameters?.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
    ['id'],
  );
  assert.deepEqual(components.schemas['RecordCreate.everything']?.required, ['title']);
  const names = Object.keys(components.schemas['Record.everything']?.properties ?? {});
  assert.equal(names.length, 3 + 13);
  assert.ok(!names.includes('secret'));
});

test('a record as the node answers it is what the document says', async () => {
  const { components } = await document();
  const created = await cluster
    .client()
    .post('/api/svc/everything/records', { title: 'abc', kinds: ['a'], instant: '2026-11-21T09:30:00Z', extra: { a: [1] } });
  const shown = created.json();

  const schema = components.schemas['Record.everything'];
  const required = schema?.required ?? [];
  assert.deepEqual(
    required.filter((name) => !(name in shown)),
    [],
  );
});

test('a change of schema is in the document within a second', async () => {
  await document();
  await cluster.client().post('/api/svc', { name: 'fresh' });
  const changedAt = performance.now();

  await until('the new collection is in the document', async () => '/api/svc/fresh/records' in (await document()).paths);
  const shownAfterMs = performance.now() - changedAt;
  await cluster.client().delete('/api/svc/fresh');
  await until('the dropped collection is gone from the document', async () => !('/api/svc/fresh/records' in (await document()).paths));

  assert.ok(shownAfterMs < 1000, `it took ${shownAfterMs} ms`);
});

test('who has the document already is told so', async () => {
  const first = await cluster.guest().get('/openapi.json');
  const etag = first.headers.get('etag') ?? '';

  const again = await cluster.guest().get('/openapi.json', { headers: { 'If-None-Match': etag } });

  assert.match(etag, /^"[\w-]{22}"$/);
  assert.deepEqual([again.status, again.text], [304, '']);
});

test('the interactive page loads nothing from elsewhere, and all that it loads is there', async () => {
  const page = await cluster.guest().get('/docs');
  const files = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map((match) => match[1] ?? '');

  const answers = await Promise.all(files.map((file) => cluster.guest().get(file)));

  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';/);
  assert.doesNotMatch(page.text, /https?:\/\/|<script>/);
  assert.equal(files.length, 4);
  for (const answer of answers) assert.equal(answer.status, 200);
});

test('the page’s files are compressed for who can read that, and kept by who has them', async () => {
  const path = '/docs/assets/swagger-ui-bundle.js';

  const [plain, gzip, brotli] = await Promise.all(
    ['identity', 'gzip', 'gzip, br'].map((encoding) => cluster.guest().get(path, { headers: { 'Accept-Encoding': encoding } })),
  );
  const again = await cluster.guest().get(path, { headers: { 'If-None-Match': plain?.headers.get('etag') ?? '' } });

  assert.deepEqual(
    [plain, gzip, brotli].map((answer) => answer?.headers.get('content-encoding')),
    [null, 'gzip', 'br'],
  );
  assert.equal(gzip?.text, plain?.text);
  assert.equal(brotli?.text, plain?.text);
  assert.equal(again.status, 304);
});

async function document(): Promise<Document> {
  return (await cluster.guest().get('/openapi.json')).json<Document>();
}
