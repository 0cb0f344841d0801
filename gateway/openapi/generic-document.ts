import { createDocument, type oas31, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Endpoint } from '../endpoint/define.ts';
import { errorComponents, ProblemSchema, problemExamples } from './error-responses.ts';
import { operation, pathTemplate } from './operation.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

/** The document as it is without any collection: what the declarations say. */
export function genericDocument(endpoints: readonly Endpoint[]): OpenApiDocument {
  const shown = endpoints.filter((endpoint) => endpoint.isDocumented !== false);
  const document = createDocument(
    {
      openapi: '3.0.3',
      info: {
        title: 'svc',
        version: apiVersion,
        description: 'Collections of records over REST. The paths and schemas of the collections there are at this moment are included.',
        contact: { name: 'the svc authors' },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/', description: 'The server that this document came from.' }],
      tags: [
        { name: 'Collections', description: 'The schema: root token or admin key.' },
        { name: 'Records', description: 'The records of any collection, as its rules allow.' },
        { name: 'Accounts', description: 'Signing in and out. The accounts themselves are the records of auth collections.' },
        { name: 'System', description: 'The state of the process that answers.' },
        { name: 'Specification', description: 'This document.' },
      ],
      paths: paths(shown),
      components: {
        schemas: { Problem: ProblemSchema },
        responses: errorComponents(shown),
        examples: problemExamples(shown),
        headers,
        securitySchemes,
      },
    },
    { override: ({ jsonSchema, io }) => tidy(jsonSchema, io) },
  );
  return withoutLoneAllOf(document) as OpenApiDocument;
}

/** Takes out what zod says and nobody means: the bounds of JavaScript's integers, and closed answers (a later version may add to them). */
function tidy(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties'];
}

/** A reference with a remark beside it becomes an allOf of one; the reference alone says as much. */
function withoutLoneAllOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutLoneAllOf);
  if (typeof node !== 'object' || node === null) return node;
  const { allOf } = node as { readonly allOf?: unknown };
  if (Array.isArray(allOf) && allOf.length === 1) return withoutLoneAllOf(allOf[0]);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutLoneAllOf(value)]));
}

const apiVersion = '0.1.0';

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A token of a root administrator or a user, or the admin key.' },
  adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key', description: 'The administrative master key.' },
} as const;

const headers = {
  'X-Request-Id': { description: 'Names this request in the logs; the one that was sent, or a new one.', schema: { type: 'string' } },
  ETag: { description: 'The version of what was answered.', schema: { type: 'string' }, example: '"12.3456"' },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to present a credential.', schema: { type: 'string' } },
} as const;

function paths(endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const items: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const endpoint of endpoints) {
    const path = pathTemplate(endpoint.path);
    items[path] = { ...items[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return items;
}
