import { AuthService } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { rotateKeys, showKeys } from '../auth/keys/show-keys.ts';
import { signInWithPassword } from '../auth/password/sign-in-with-password.ts';
import { endSession, endSessions, signOut } from '../auth/sessions/end-sessions.ts';
import { listSessions } from '../auth/sessions/list-sessions.ts';
import { refresh } from '../auth/sessions/refresh.ts';
import type { Credentials } from '../principal/credentials.ts';
import { HttpServing } from './http-service.ts';

/** Adds the auth service to `server`. */
export function addAuth(server: RpcServer, deps: { readonly auth: AuthDeps; readonly credentials: Credentials }): void {
  const serve = new HttpServing(deps.auth, deps.credentials);
  server.add(AuthService, {
    signInWithPassword: serve.open(signInWithPassword),
    signOut: serve.known(signOut),
    refresh: serve.presented(refresh),
    listSessions: serve.known(listSessions),
    endSession: serve.known(endSession),
    endSessions: serve.known(endSessions),
    showKeys: serve.open(showKeys),
    rotateKeys: serve.privileged(rotateKeys),
  });
}
