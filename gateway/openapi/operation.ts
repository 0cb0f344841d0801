import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { AnswerDeclaration, Endpoint, RequestHeader, Scope } from '../endpoint/define.ts';
import { errorResponses } from './error-responses.ts';

/** The declaration of an endpoint as OpenAPI says it. */
export function operation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, scope, body } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security[scope],
    requestParams: requestParams(endpoint),
    ...(body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { ...answers(endpoint.answers), ...errorResponses(endpoint) },
  };
}

/** `/api/svc/:name` as OpenAPI writes it. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

const security: Readonly<Record<Scope, Record<string, string[]>[]>> = {
  public: [],
  rules: [{}, { bearer: [] }, { adminKey: [] }],
  root: [{ bearer: [] }, { adminKey: [] }],
};

const pathParameters: Readonly<Record<string, z.ZodType>> = {
  name: z.string().meta({ description: 'Name of the collection.', example: 'posts' }),
  id: z.string().meta({ description: 'Id of the record.', example: '0198c0de-7a11-7bbb-8ccc-0123456789ab' }),
};

const headerParameters: Readonly<Record<RequestHeader, z.ZodType>> = {
  'If-Match': z.string().optional().meta({ description: 'Do it only if the record is still the one with this ETag; else 412.' }),
  'If-None-Match': z.string().optional().meta({ description: 'Answer 304 without a body if this ETag still holds.' }),
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'A repeat with the same key and body within 24 hours gets the first answer, and changes nothing.' }),
};

function requestParams({ path, query, headers = [] }: Endpoint) {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  return {
    ...(names.length === 0 ? {} : { path: z.object(Object.fromEntries(names.map((name) => [name, pathParameters[name] ?? z.string()]))) }),
    ...(query === undefined ? {} : { query }),
    ...(headers.length === 0 ? {} : { header: z.object(Object.fromEntries(headers.map((name) => [name, headerParameters[name]]))) }),
  };
}

function answers(declared: Endpoint['answers']): ZodOpenApiResponsesObject {
  return Object.fromEntries(Object.entries(declared).map(([status, answer]) => [status, response(answer)])) as ZodOpenApiResponsesObject;
}

function response({ description, schema, type = 'application/json', headers = [] }: AnswerDeclaration): ZodOpenApiResponseObject {
  const named = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  return { description, headers: Object.fromEntries(named), ...(schema === undefined ? {} : { content: { [type]: { schema } } }) };
}
