import type { Lifecycle } from '../proto/process/lifecycle.ts';
import { RpcClient } from '../proto/rpc/client.ts';
import { readIdentity } from '../proto/rpc/identity.ts';
import type { LanePool } from '../proto/rpc/lane-pool.ts';
import { randomIds } from '../proto/values/ids.ts';
import { authClient, type AuthClient } from './clients/auth.ts';
import { jobsClient, type JobsClient } from './clients/jobs.ts';
import { LimitsClient } from './clients/limits.ts';
import { mailClient, type MailClient } from './clients/mail.ts';
import { settingsClient, type SettingsClient } from './clients/settings.ts';
import { RulesClient } from './clients/rules.ts';
import { CollectionsClient } from './clients/collections.ts';
import { recordLanes } from './clients/record-lanes.ts';
import type { GatewayConfig } from './config.ts';
import { RateLimits } from './endpoint/rate-limits.ts';
import { HttpServer } from './http/http-server.ts';

/** What the gateway is made of. */
export interface GatewayDeps {
  readonly lanes: LanePool;
  readonly collections: CollectionsClient;
  readonly auth: AuthClient;
  readonly settings: SettingsClient;
  readonly mail: MailClient;
  readonly jobs: JobsClient;
  readonly rules: RulesClient;
  readonly limits: RateLimits;
  readonly server: HttpServer;
}

/** Opens everything in order; the lifecycle closes it in the reverse one: first strangers' sockets, then the ways to the stores. */
export function openDeps(lifecycle: Lifecycle, config: GatewayConfig): GatewayDeps {
  const identity = readIdentity(config);
  const targets = config.SVC_STORE_URL;
  const lanes = lifecycle.use('lanes', recordLanes({ targets, identity, log: lifecycle.log }));
  const rpc = lifecycle.use('store client', new RpcClient({ targets, identity }));
  const limits = lifecycle.use('rate limits', new RateLimits(new LimitsClient(rpc), randomIds, () => lanes.ready));
  const server = lifecycle.use(
    'http server',
    new HttpServer({
      ids: randomIds,
      corsOrigins: config.SVC_CORS_ORIGINS,
      trustedProxies: config.SVC_TRUSTED_PROXIES,
      bodyBytesMax: config.SVC_MAX_BODY_BYTES,
    }),
  );
  return {
    lanes,
    collections: new CollectionsClient(rpc),
    auth: authClient(rpc),
    settings: settingsClient(rpc),
    mail: mailClient(rpc),
    jobs: jobsClient(rpc),
    rules: new RulesClient(rpc),
    limits,
    server,
  };
}
