import { z } from 'zod';
import { define } from '../../endpoint/define.ts';

const anyObject = z.looseObject({}).meta({ id: 'Specification', description: 'An OpenAPI 3.0 document.' });
const unchanged = { description: 'The document is still the one that If-None-Match names.' };

const common = {
  method: 'GET',
  tag: 'Specification',
  scope: 'public',
  description: 'Includes the paths and schemas of the collections there are at this moment.',
  headers: ['If-None-Match'],
  errors: ['unavailable', 'overloaded', 'timed_out'],
} as const;

const json = { ...common, answers: { 200: { description: 'The document.', schema: anyObject, headers: ['ETag'] }, 304: unchanged } } as const;
const yaml = {
  ...common,
  answers: { 200: { description: 'The document.', schema: z.string(), type: 'application/yaml', headers: ['ETag'] }, 304: unchanged },
} as const;

export const specificationJson = define({
  ...json,
  path: '/openapi.json',
  operationId: 'specificationJson',
  summary: 'This API as an OpenAPI 3.0 document (JSON)',
  handle: ({ specification }, request) => specification.json(request),
});

export const specificationYaml = define({
  ...yaml,
  path: '/openapi.yml',
  operationId: 'specificationYaml',
  summary: 'This API as an OpenAPI 3.0 document (YAML)',
  handle: ({ specification }, request) => specification.yaml(request),
});

export const docsSpecificationJson = define({
  ...json,
  path: '/docs/openapi.json',
  operationId: 'docsSpecificationJson',
  summary: 'The same as /openapi.json',
  handle: ({ specification }, request) => specification.json(request),
});

export const docsSpecificationYaml = define({
  ...yaml,
  path: '/docs/openapi.yml',
  operationId: 'docsSpecificationYaml',
  summary: 'The same as /openapi.yml',
  handle: ({ specification }, request) => specification.yaml(request),
});
