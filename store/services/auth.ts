import { AuthService, type AuthReply, type AuthRequest } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { ServedUnary } from '../../proto/rpc/unary.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { signInWithPassword } from '../auth/sign-in-with-password.ts';
import { signOut } from '../auth/sign-out.ts';
import type { Credentials } from '../principal/credentials.ts';

/** What the auth service stands on. */
export interface AuthServiceDeps {
  readonly auth: AuthDeps;
  readonly credentials: Credentials;
}

/** Adds the auth service to `server`. */
export function addAuth(server: RpcServer, { auth, credentials }: AuthServiceDeps): void {
  server.add(AuthService, {
    signInWithPassword: async ({ collection, body }: AuthRequest, { requestId }: ServedUnary) =>
      replyOf(await signInWithPassword(auth, { collection, body, requestId })),
    signOut: async ({ collection }: AuthRequest, { credential }: ServedUnary) => {
      await signOut(auth, await credentials.principalOf(credential), collection);
      return replyOf('');
    },
  });
}

function replyOf(body: string): AuthReply {
  return { body: Buffer.from(body) };
}
