import './http/parser-limits.ts';
import { runRole, type Lifecycle } from '../proto/process/lifecycle.ts';
import { supervisorChannel } from '../proto/process/supervision.ts';
import { RecordsClient } from './clients/records.ts';
import { readGatewayConfig } from './config.ts';
import { openDeps, type GatewayDeps } from './deps.ts';
import type { EndpointContext } from './endpoint/context.ts';
import type { Endpoint } from './endpoint/define.ts';
import { mount } from './endpoint/mount.ts';
import { Telemetry } from './endpoint/telemetry.ts';
import { requireFreePort } from './http/free-port.ts';
import { gatewayMetrics, observeGateway } from './metrics.ts';
import { Documentation } from './openapi/documentation.ts';
import { Pages } from './pages/pages.ts';
import { Specification } from './openapi/specification.ts';
import { authEndpoints } from './routes/auth/auth-endpoints.ts';
import { collectionEndpoints } from './routes/collections/collection-endpoints.ts';
import { docsEndpoints } from './routes/docs/docs-endpoints.ts';
import { recordEndpoints } from './routes/records/record-endpoints.ts';
import { ruleEndpoints } from './routes/rules/rule-endpoints.ts';
import { jobEndpoints } from './routes/jobs/job-endpoints.ts';
import { mailEndpoints } from './routes/mail/mail-endpoints.ts';
import { pageEndpoints } from './routes/pages/page-endpoints.ts';
import { settingsEndpoints } from './routes/settings/settings-endpoints.ts';
import { systemEndpoints } from './routes/system/system-endpoints.ts';

const endpoints: readonly Endpoint[] = [
  ...recordEndpoints,
  ...collectionEndpoints,
  ...authEndpoints,
  ...ruleEndpoints,
  ...settingsEndpoints,
  ...mailEndpoints,
  ...jobEndpoints,
  ...docsEndpoints,
  ...pageEndpoints,
  ...systemEndpoints,
];

/** Requests under way get this long at the end; longer ones are cut off. */
const drainMs = 8_000;

runRole('gateway', async (lifecycle) => {
  const config = readGatewayConfig();
  const deps = openDeps(lifecycle, config);
  const telemetry = new Telemetry({ log: lifecycle.log, metrics: gatewayMetrics(lifecycle.metrics) });
  observeGateway(lifecycle.metrics, deps);
  mount(
    deps.server,
    { context: context(lifecycle, deps), telemetry, bodyBytesMax: config.SVC_MAX_BODY_BYTES, limits: deps.limits, server: deps.server },
    endpoints,
  );
  deps.limits.start();
  lifecycle.readiness('no store answers', () => deps.lanes.ready);
  lifecycle.onDrain('http server', () => deps.server.drain(drainMs));
  // Under a supervisor several gateways share the port, and it has made sure that nobody else has it.
  if (supervisorChannel() === undefined) await requireFreePort(config.SVC_HOST, config.SVC_PORT);
  const port = await deps.server.listen(config.SVC_HOST, config.SVC_PORT);
  lifecycle.log.info({ host: config.SVC_HOST, port }, 'listening');
  lifecycle.markReady({ port });
});

function context(lifecycle: Lifecycle, { lanes, collections, auth, settings, mail, jobs, rules }: GatewayDeps): EndpointContext {
  return {
    records: new RecordsClient(lanes),
    collections,
    auth,
    settings,
    mail,
    jobs,
    rules,
    specification: new Specification(collections, { endpoints }),
    documentation: new Documentation(),
    pages: new Pages(),
    readiness: { current: () => ({ ready: lifecycle.currentReadiness().ready, isDraining: lifecycle.draining }) },
  };
}
