/** Everything that can go wrong with a request as a whole: its HTTP status, its gRPC status and its public text. */
export const catalogue = {
  bad_request: { status: 400, grpc: 'INVALID_ARGUMENT', text: '{reason}' },
  malformed_json: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The body is not valid JSON: {reason}.' },
  validation_failed: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'Some values are not valid; see data for each field.' },
  bad_query: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The query parameter {parameter} is not valid: {reason}.' },
  ambiguous_credential: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The request carries more than one credential; send one.' },
  bad_filter: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The expression is not valid at character {position}: {reason}.' },
  query_too_slow: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The query took too long; narrow it, or add an index that serves it.' },
  answer_too_large: {
    status: 400,
    grpc: 'RESOURCE_EXHAUSTED',
    text: 'The answer would be larger than {limit} bytes; ask for fewer records or fields.',
  },
  too_many_affected: {
    status: 400,
    grpc: 'FAILED_PRECONDITION',
    text: 'More than {limit} records match, and nothing was changed; narrow the filter or raise maxAffected (at most {max}).',
  },
  delete_restricted: {
    status: 400,
    grpc: 'FAILED_PRECONDITION',
    text: 'The record is still needed by records of {collections}; change or delete those first.',
  },
  wrong_credentials: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The identity or the password is wrong.' },
  method_not_offered: { status: 400, grpc: 'FAILED_PRECONDITION', text: 'Accounts of this collection do not sign in this way.' },
  last_root_user: { status: 400, grpc: 'FAILED_PRECONDITION', text: 'This is the last root user; make another one first.' },
  passkey_refused: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The passkey could not be verified; begin again.' },
  oauth_refused: { status: 400, grpc: 'INVALID_ARGUMENT', text: '{reason}' },
  wrong_code: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The code is wrong or has expired; ask for a new one.' },
  bad_token: { status: 400, grpc: 'INVALID_ARGUMENT', text: 'The link was used already or has expired; ask for a new one.' },
  unauthorized: { status: 401, grpc: 'UNAUTHENTICATED', text: 'Sign in first: this request needs a credential.' },
  invalid_credential: { status: 401, grpc: 'UNAUTHENTICATED', text: 'The credential is not valid or has expired; sign in again.' },
  mfa_required: { status: 401, grpc: 'UNAUTHENTICATED', text: 'A second factor is needed: send data.mfaId and a code to auth-with-mfa.' },
  forbidden: { status: 403, grpc: 'PERMISSION_DENIED', text: 'You have no right to do this.' },
  collection_protected: { status: 403, grpc: 'PERMISSION_DENIED', text: 'This collection belongs to the service; its definition cannot be changed.' },
  route_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'There is nothing at this address; /openapi.json lists what there is.' },
  collection_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'There is no collection of this name.' },
  record_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'There is no such record here.' },
  session_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'There is no such session; it may be over.' },
  passkey_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'There is no such passkey.' },
  device_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'No device waits for this code; look at it again, or begin again.' },
  provider_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'Accounts of this collection do not sign in at such a provider.' },
  job_not_found: { status: 404, grpc: 'NOT_FOUND', text: 'There is no such job, or it runs at this moment.' },
  method_not_allowed: { status: 405, grpc: 'UNIMPLEMENTED', text: 'This address does not take that method; it takes {allow}.' },
  collection_exists: { status: 409, grpc: 'ALREADY_EXISTS', text: 'There is a collection of this name already (names ignore case).' },
  record_exists: { status: 409, grpc: 'ALREADY_EXISTS', text: 'There is a record with this id already.' },
  collection_referenced: {
    status: 409,
    grpc: 'FAILED_PRECONDITION',
    text: 'The collection is the target of relations in {collections}; change or delete those first.',
  },
  rules_broken: {
    status: 409,
    grpc: 'FAILED_PRECONDITION',
    text: 'After this change some rules could not be read any more; change them in the same request, or first: {rules}.',
  },
  totp_exists: { status: 409, grpc: 'FAILED_PRECONDITION', text: 'The account has an authenticator app already; remove that first.' },
  setup_done: { status: 409, grpc: 'FAILED_PRECONDITION', text: 'There is a root user already; sign in as one.' },
  schema_moved: { status: 409, grpc: 'ABORTED', text: 'The schema has changed since the plan was made; make the plan again.' },
  write_conflict: { status: 409, grpc: 'ABORTED', text: 'Another write changed the same thing at the same time; read it again and retry.' },
  data_conflict: { status: 409, grpc: 'FAILED_PRECONDITION', text: 'The stored records do not allow this change: {reason}.' },
  precondition_failed: {
    status: 412,
    grpc: 'FAILED_PRECONDITION',
    text: 'The record has changed since the version that If-Match names; read it again.',
  },
  body_too_large: { status: 413, grpc: 'RESOURCE_EXHAUSTED', text: 'The body is larger than {limit} bytes.' },
  unsupported_media_type: { status: 415, grpc: 'INVALID_ARGUMENT', text: 'Send the body as application/json.' },
  idempotency_mismatch: { status: 422, grpc: 'FAILED_PRECONDITION', text: 'This Idempotency-Key was used with another body.' },
  too_many_requests: { status: 429, grpc: 'RESOURCE_EXHAUSTED', text: 'At most {max} such requests are taken in {interval} seconds; wait a moment.' },
  too_many_attempts: { status: 429, grpc: 'RESOURCE_EXHAUSTED', text: 'There were too many attempts; try again later.' },
  internal: { status: 500, grpc: 'INTERNAL', text: 'Something went wrong on our side; the request id is {requestId}.' },
  unavailable: { status: 503, grpc: 'UNAVAILABLE', text: 'A part of the service is away for a moment; try again shortly.' },
  overloaded: { status: 503, grpc: 'RESOURCE_EXHAUSTED', text: 'The service has more to do than it can take on; try again shortly.' },
  draining: { status: 503, grpc: 'UNAVAILABLE', text: 'This node is shutting down; try again.' },
  timed_out: { status: 503, grpc: 'DEADLINE_EXCEEDED', text: 'The request took too long and was given up; try again.' },
  schema_busy: { status: 503, grpc: 'UNAVAILABLE', text: 'The collection is in use and could not be changed in time; try again.' },
} as const satisfies Record<string, { status: number; grpc: GrpcStatusName; text: string }>;

/** What can be wrong with one field; the code is stable and stands in `data.<field>.code`. */
export const faults = {
  required: 'A value is required.',
  invalid_type: 'The value must be {expected}.',
  too_short: 'The value must have at least {min} characters.',
  too_long: 'The value must have at most {max} characters.',
  too_small: 'The value must be at least {min}.',
  too_large: 'The value must be at most {max}.',
  too_few: 'At least {min} values are needed.',
  too_many: 'At most {max} values are allowed.',
  pattern_mismatch: 'The value does not match the pattern of the field.',
  not_an_option: 'The value must be one of the options of the field.',
  domain_not_allowed: 'This domain is not allowed.',
  not_unique: 'Another record has this value already.',
  relation_not_found: 'There is no record with this id in {collection}.',
  invalid_id: 'The id must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.',
  invalid_name: 'The name must start with a letter and hold at most 63 letters, digits and underscores.',
  reserved_name: 'This name is reserved.',
  duplicate_name: 'This name is used twice.',
  unknown_key: 'There is no such setting; check the spelling.',
  unknown_field: 'There is no field of this name.',
  unknown_collection: 'There is no collection of this name.',
  invalid_value: 'The value {reason}.',
  invalid_option: '{reason}',
  invalid_rule: '{reason}',
  not_changeable: '{reason}',
  not_confirmed: 'The two passwords differ.',
  wrong_password: 'The present password is wrong.',
  too_many_bytes: 'The value must have at most {max} bytes.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof catalogue;
export type FaultCode = keyof typeof faults;

type GrpcStatusName =
  | 'PERMISSION_DENIED'
  | 'INVALID_ARGUMENT'
  | 'FAILED_PRECONDITION'
  | 'UNAUTHENTICATED'
  | 'NOT_FOUND'
  | 'UNIMPLEMENTED'
  | 'ALREADY_EXISTS'
  | 'ABORTED'
  | 'RESOURCE_EXHAUSTED'
  | 'DEADLINE_EXCEEDED'
  | 'INTERNAL'
  | 'UNAVAILABLE';
