import { SettingsService } from '../../proto/gen/svc/v1/settings.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';
import { httpService, type HttpService } from './http-service.ts';

export type SettingsClient = HttpService<typeof SettingsService>;

/** The settings of the installation. */
export function settingsClient(rpc: RpcClient): SettingsClient {
  return httpService(rpc, SettingsService);
}
