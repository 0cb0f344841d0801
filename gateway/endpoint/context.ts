import type { PendingReply, Reply } from '../http/reply.ts';

/** Everything an endpoint's handler may use. Each member says only what handlers need of it. */
export interface EndpointContext {
  readonly records: RecordsPort;
  readonly collections: CollectionsPort;
  readonly auth: AuthPort;
  readonly settings: SettingsPort;
  readonly mail: MailPort;
  readonly jobs: JobsPort;
  readonly rules: RulesPort;
  readonly specification: SpecificationPort;
  readonly documentation: DocumentationPort;
  readonly pages: PagesPort;
  readonly readiness: ReadinessPort;
}

/** A request as the record operations take it; an endpoint's request is one. */
export interface RecordRequest {
  readonly params: readonly string[];
  readonly query: string;
  readonly body: Buffer;
  readonly credential: string;
  readonly requestId: string;
  readonly ifMatch: string;
  readonly ifNoneMatch: string;
  readonly idempotencyKey: string;
  readonly headers: string;
}

/** The record operations, carried out by the store. */
export interface RecordsPort {
  view(request: RecordRequest): PendingReply;
  list(request: RecordRequest): PendingReply;
  create(request: RecordRequest): PendingReply;
  update(request: RecordRequest): PendingReply;
  delete(request: RecordRequest): PendingReply;
  batch(request: RecordRequest): PendingReply;
  updateMatching(request: RecordRequest): PendingReply;
  deleteMatching(request: RecordRequest): PendingReply;
}

/** Who asks for a schema operation, and under which request. */
export interface CollectionCaller {
  readonly credential: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly traceparent: string;
}

/** Whether only a plan is wanted, and which plan the change must still agree with (empty: none). */
export interface PlanWish {
  readonly only: boolean;
  readonly hash: string;
}

/** The schema operations, carried out by the store; each answers JSON text. */
export interface CollectionsPort {
  list(caller: CollectionCaller): Promise<Buffer>;
  get(caller: CollectionCaller, name: string): Promise<Buffer>;
  create(caller: CollectionCaller, input: { readonly body: Buffer; readonly plan: PlanWish }): Promise<Buffer>;
  update(caller: CollectionCaller, input: { readonly name: string; readonly body: Buffer; readonly plan: PlanWish }): Promise<Buffer>;
  delete(caller: CollectionCaller, input: { readonly name: string; readonly plan: PlanWish }): Promise<Buffer>;
  truncate(caller: CollectionCaller, name: string): Promise<Buffer>;
}

/** A request that the store answers as it is. */
export interface HttpCall {
  readonly params: readonly string[];
  readonly query: string;
  readonly body: Buffer;
  readonly credential: string;
  readonly requestId: string;
  readonly headers: string;
  readonly clientAddress: string;
}

/** An answer that the store has made ready: JSON text unless a header says otherwise. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

type HttpOperation = (call: HttpCall) => Promise<HttpAnswer>;

/** Accounts, sessions and keys, looked after by the store. */
export interface AuthPort {
  readonly signInWithPassword: HttpOperation;
  readonly signOut: HttpOperation;
  readonly refresh: HttpOperation;
  readonly listSessions: HttpOperation;
  readonly endSession: HttpOperation;
  readonly endSessions: HttpOperation;
  readonly requestPasswordReset: HttpOperation;
  readonly confirmPasswordReset: HttpOperation;
  readonly requestVerification: HttpOperation;
  readonly confirmVerification: HttpOperation;
  readonly requestEmailChange: HttpOperation;
  readonly confirmEmailChange: HttpOperation;
  readonly requestOtp: HttpOperation;
  readonly signInWithOtp: HttpOperation;
  readonly passkeySignUpOptions: HttpOperation;
  readonly passkeySignUp: HttpOperation;
  readonly passkeySignInOptions: HttpOperation;
  readonly signInWithPasskey: HttpOperation;
  readonly addPasskeyOptions: HttpOperation;
  readonly addPasskey: HttpOperation;
  readonly listPasskeys: HttpOperation;
  readonly removePasskey: HttpOperation;
  readonly authorizeDevice: HttpOperation;
  readonly deviceToken: HttpOperation;
  readonly showDevice: HttpOperation;
  readonly decideDevice: HttpOperation;
  readonly showAuthMethods: HttpOperation;
  readonly startOAuth: HttpOperation;
  readonly finishOAuth: HttpOperation;
  readonly signInWithOAuth: HttpOperation;
  readonly beginTotp: HttpOperation;
  readonly confirmTotp: HttpOperation;
  readonly removeTotp: HttpOperation;
  readonly signInWithMfa: HttpOperation;
  readonly impersonate: HttpOperation;
  readonly showSetup: HttpOperation;
  readonly makeSetupLink: HttpOperation;
  readonly setUp: HttpOperation;
  readonly showKeys: HttpOperation;
  readonly rotateKeys: HttpOperation;
}

/** The settings of the installation. */
export interface SettingsPort {
  readonly show: HttpOperation;
  readonly change: HttpOperation;
}

/** Templates of mail, and mail that tries them. */
export interface MailPort {
  readonly showTemplates: HttpOperation;
  readonly changeTemplates: HttpOperation;
  readonly testTemplate: HttpOperation;
  readonly testSettings: HttpOperation;
}

/** The durable queues. */
export interface JobsPort {
  readonly list: HttpOperation;
  readonly retry: HttpOperation;
  readonly delete: HttpOperation;
}

/** What rules come to, as the store explains it; answers JSON text. */
export interface RulesPort {
  explain(call: Pick<HttpCall, 'params' | 'body' | 'credential' | 'requestId'>): Promise<Buffer>;
}

/** The OpenAPI document of this moment. */
export interface SpecificationPort {
  json(request: SpecificationRequest): Promise<Reply>;
  yaml(request: SpecificationRequest): Promise<Reply>;
}

export interface SpecificationRequest {
  readonly requestId: string;
  readonly ifNoneMatch: string;
}

/** The interactive documentation: a page and what it loads. */
export interface DocumentationPort {
  page(): Reply;
  asset(file: string, request: { readonly acceptEncoding: string; readonly ifNoneMatch: string }): Promise<Reply>;
}

/** The pages that mail and devices send people to, and what they load. */
export interface PagesPort {
  page(name: string): Reply;
  asset(file: string, request: { readonly ifNoneMatch: string }): Promise<Reply>;
}

export interface ReadinessPort {
  /** Whether this process should be given work now; `isDraining`: it never will be again. */
  current(): { readonly ready: boolean; readonly isDraining: boolean };
}
