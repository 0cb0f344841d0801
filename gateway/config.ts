import { byteCount, cidrList, list, port, readConfig } from '../proto/process/config.ts';
import { hostValue } from '../proto/process/process-config.ts';
import { frameBytesMax } from '../proto/rpc/lane-limits.ts';
import { identityShape, targetList } from '../proto/rpc/rpc-config.ts';

const mebibyte = 1024 * 1024;

/** What the gateway reads beside the keys of every process. It gets no secret but the one that makes it a member of the cluster. */
const shape = {
  SVC_HOST: hostValue,
  SVC_PORT: port(8090),
  SVC_STORE_URL: targetList(),
  SVC_CORS_ORIGINS: list(['*']),
  // A body must fit into one frame of the lane.
  SVC_MAX_BODY_BYTES: byteCount(5 * mebibyte, { min: 1024, max: frameBytesMax - mebibyte }),
  SVC_TRUSTED_PROXIES: cidrList(),
  ...identityShape,
};

export function readGatewayConfig() {
  return readConfig(shape);
}

export type GatewayConfig = ReturnType<typeof readGatewayConfig>;
