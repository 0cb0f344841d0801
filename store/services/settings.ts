import { SettingsService } from '../../proto/gen/svc/v1/settings.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { Credentials } from '../principal/credentials.ts';
import { changeSettings, showSettings } from '../settings/change-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { HttpServing } from './http-service.ts';

/** Adds the settings service to `server`; for root and the admin key. */
export function addSettings(server: RpcServer, deps: { readonly settings: Settings; readonly credentials: Credentials }): void {
  const serve = new HttpServing(deps.settings, deps.credentials);
  server.add(SettingsService, { show: serve.privileged(showSettings), change: serve.privileged(changeSettings) });
}
