import { AuthService, type AuthReply, type AuthRequest } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { ServedUnary } from '../../proto/rpc/unary.ts';
import type * as asked from '../auth/deps.ts';
import { rotateKeys, showKeys } from '../auth/keys/show-keys.ts';
import { signInWithPassword } from '../auth/password/sign-in-with-password.ts';
import { endSession, endSessions, signOut } from '../auth/sessions/end-sessions.ts';
import { listSessions } from '../auth/sessions/list-sessions.ts';
import { refresh } from '../auth/sessions/refresh.ts';
import type { Credentials } from '../principal/credentials.ts';
import type { Principal } from '../principal/principal.ts';

/** What the auth service stands on. */
export interface AuthServiceDeps {
  readonly auth: asked.AuthDeps;
  readonly credentials: Credentials;
}

type Handler = (request: AuthRequest, call: ServedUnary) => Promise<AuthReply>;

/** Adds the auth service to `server`. */
export function addAuth(server: RpcServer, { auth, credentials }: AuthServiceDeps): void {
  const open =
    (work: (deps: asked.AuthDeps, request: asked.AuthRequest) => Promise<asked.AuthAnswer>): Handler =>
    async (request, { requestId }) =>
      replyOf(await work(auth, { ...request, requestId }));
  const known =
    (work: (deps: asked.AuthDeps, request: asked.AuthRequest, principal: Principal) => Promise<asked.AuthAnswer>): Handler =>
    async (request, { requestId, credential }) =>
      replyOf(await work(auth, { ...request, requestId }, await credentials.principalOf(credential)));
  const privileged =
    (work: (deps: asked.AuthDeps, request: asked.AuthRequest, principal: Principal) => Promise<asked.AuthAnswer>): Handler =>
    async (request, { requestId, credential }) =>
      replyOf(await work(auth, { ...request, requestId }, await credentials.requirePrivileged(credential)));
  server.add(AuthService, {
    signInWithPassword: open(signInWithPassword),
    signOut: known(signOut),
    refresh: async (request, { requestId, credential }) => replyOf(await refresh(auth, { ...request, requestId }, credential)),
    listSessions: known(listSessions),
    endSession: known(endSession),
    endSessions: known(endSessions),
    showKeys: open(showKeys),
    rotateKeys: privileged(rotateKeys),
  });
}

function replyOf({ status, body, headers = {} }: asked.AuthAnswer): AuthReply {
  return { status, body: Buffer.from(body), headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
}
