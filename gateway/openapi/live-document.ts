import type { Collection } from '../../proto/schema/collection.ts';
import type { OpenApiDocument } from './generic-document.ts';
import { recordSchemas, schemaKey, type JsonSchema, type RecordSchemaKind } from './record-schemas.ts';

/** The generic document with the paths and schemas of `collections` beside it. */
export function liveDocument(generic: OpenApiDocument, collections: readonly Collection[]): OpenApiDocument {
  const shown = collections.filter((collection) => !collection.system).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    ...generic,
    tags: [...(generic.tags ?? []), ...shown.map(({ name }) => ({ name: tagOf(name), description: `The records of collection \`${name}\`.` }))],
    paths: { ...generic.paths, ...Object.assign({}, ...concretePaths(generic, shown)) } as OpenApiDocument['paths'] & object,
    components: {
      ...generic.components,
      schemas: { ...generic.components?.schemas, ...Object.fromEntries(shown.flatMap(collectionSchemas)) },
    },
  };
}

const prefix = '/api/svc/{name}/records';

function tagOf(collection: string): string {
  return `Records of ${collection}`;
}

function collectionSchemas(collection: Collection): [string, JsonSchema][] {
  return Object.entries(recordSchemas(collection)).map(([kind, schema]) => [schemaKey(kind as RecordSchemaKind, collection.name), schema]);
}

/**
 * The generic record paths for each collection, with its name in place of the parameter and its schemas in place of the generic
 * ones. Made once as text for a collection of no name, because a text is filled in and parsed faster than a tree is copied.
 */
function concretePaths(generic: OpenApiDocument, collections: readonly Collection[]): Record<string, unknown>[] {
  const paths = Object.entries(generic.paths ?? {}).filter(([path]) => path === prefix || path.startsWith(`${prefix}/`));
  const template = JSON.stringify(
    Object.fromEntries(paths.map(([path, item]) => [path.replace('{name}', blank), concreteItem(item as Record<string, Operation>)])),
  );
  return collections.map(({ name }) => JSON.parse(template.replaceAll(blank, name)) as Record<string, unknown>);
}

/** Stands for the name of a collection; no name holds braces. */
const blank = '{collection}';

function concreteItem(item: Readonly<Record<string, Operation>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, concrete({ method, operation, collection: blank })]));
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

function concrete({ method, operation, collection }: { method: string; operation: Operation; collection: string }): unknown {
  const named = {
    ...operation,
    operationId: `${operation.operationId}.${collection}`,
    tags: [tagOf(collection)],
    summary: `${operation.summary} (${collection})`,
    parameters: (operation.parameters ?? []).filter((parameter) => !(parameter.in === 'path' && parameter.name === 'name')),
  };
  return withRefs(named, {
    '#/components/schemas/Record': reference('Record', collection),
    '#/components/schemas/RecordInput': reference(method === 'post' ? 'RecordCreate' : 'RecordUpdate', collection),
    '#/components/schemas/RecordList': reference('RecordList', collection),
  });
}

function reference(kind: RecordSchemaKind, collection: string): string {
  return `#/components/schemas/${schemaKey(kind, collection)}`;
}

/** A copy of `node` in which references are exchanged. */
function withRefs(node: unknown, refs: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(node)) return node.map((item) => withRefs(item, refs));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === '$ref' && typeof value === 'string' ? (refs[value] ?? value) : withRefs(value, refs)]),
  );
}
