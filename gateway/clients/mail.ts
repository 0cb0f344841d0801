import { MailService } from '../../proto/gen/svc/v1/mail.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';
import { httpService, type HttpService } from './http-service.ts';

export type MailClient = HttpService<typeof MailService>;

/** Templates of mail, and mail that tries them. */
export function mailClient(rpc: RpcClient): MailClient {
  return httpService(rpc, MailService);
}
