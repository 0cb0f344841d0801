import { z } from 'zod';
import { catalogue, faults, type ErrorCode, type FaultCode } from '../../proto/errors/catalogue.ts';
import type { Endpoint } from '../endpoint/define.ts';
import { endpointErrors } from '../endpoint/endpoint-errors.ts';

/** The error body of every JSON answer (CONTRACT section 1). */
export const ProblemSchema = z
  .object({
    code: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    message: z.string().meta({ description: 'One sentence to act on.' }),
    data: z
      .record(z.string(), z.object({ code: z.enum(Object.keys(faults) as [FaultCode, ...FaultCode[]]), message: z.string() }).meta({ id: 'Fault' }))
      .meta({ description: 'What is wrong with each field; empty where no field is at fault.' }),
  })
  .meta({ id: 'Problem', description: 'What went wrong.' });

/** The failures of an endpoint by status; each refers to a response in the components, which all with the same codes share. */
export function errorResponses(endpoint: Endpoint): Record<string, { $ref: string }> {
  return Object.fromEntries([...byStatus(endpoint)].map(([status, codes]) => [String(status), { $ref: `#/components/responses/${key(codes)}` }]));
}

/** The responses that `errorResponses` refers to. */
export function errorComponents(endpoints: readonly Endpoint[]) {
  const groups = endpoints.flatMap((endpoint) => [...byStatus(endpoint)]);
  return Object.fromEntries(groups.map(([status, codes]) => [key(codes), errorResponse(status, codes)]));
}

/** An example body for every code that one of `endpoints` can answer with. */
export function problemExamples(endpoints: readonly Endpoint[]): Record<string, { summary: string; value: unknown }> {
  const codes = [...new Set(endpoints.flatMap(endpointErrors))];
  return Object.fromEntries(
    codes.map((code) => [code, { summary: code, value: { code: catalogue[code].status, message: catalogue[code].text, data: exampleData(code) } }]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[]) {
  const headers = ['X-Request-Id', ...(status === 503 || status === 429 ? ['Retry-After'] : []), ...(status === 401 ? ['WWW-Authenticate'] : [])];
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].text}`).join('\n\n'),
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function byStatus(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of endpointErrors(endpoint).toSorted((a, b) => catalogue[a].status - catalogue[b].status || (a < b ? -1 : 1))) {
    const { status } = catalogue[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return statuses;
}

function key(codes: readonly ErrorCode[]): string {
  return codes.join('.');
}

function exampleData(code: ErrorCode): Record<string, unknown> {
  return code === 'validation_failed' ? { title: { code: 'required', message: faults.required } } : {};
}
