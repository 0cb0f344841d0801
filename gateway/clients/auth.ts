import { AuthService } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';
import { httpService, type HttpService } from './http-service.ts';

export type AuthClient = HttpService<typeof AuthService>;

/** Accounts, sessions and keys. */
export function authClient(rpc: RpcClient): AuthClient {
  return httpService(rpc, AuthService);
}
