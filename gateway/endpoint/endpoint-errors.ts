import type { ErrorCode } from '../../proto/errors/catalogue.ts';
import type { Endpoint } from './define.ts';

/** Every code that `endpoint` can answer with: its own, and those that come with its kind. */
export function endpointErrors(endpoint: Endpoint): readonly ErrorCode[] {
  const credentials = endpoint.scope === 'public' ? [] : credentialErrors;
  const body = endpoint.body === undefined ? [] : bodyErrors;
  return [...new Set([...commonErrors, ...credentials, ...body, ...endpoint.errors])];
}

/** Any request can meet these. */
const commonErrors = ['bad_request', 'body_too_large', 'too_many_requests', 'internal', 'draining'] as const satisfies readonly ErrorCode[];

/** Any request whose credential is looked at. */
const credentialErrors = ['ambiguous_credential', 'invalid_credential', 'unauthorized', 'forbidden'] as const satisfies readonly ErrorCode[];

/** Any request whose body is read. */
const bodyErrors = ['malformed_json', 'validation_failed', 'unsupported_media_type', 'overloaded'] as const satisfies readonly ErrorCode[];
