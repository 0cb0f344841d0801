import { RecordsService } from '../../proto/gen/svc/v1/records.ts';
import type { Log } from '../../proto/process/log.ts';
import type { RpcIdentity } from '../../proto/rpc/identity.ts';
import { LanePool } from '../../proto/rpc/lane-pool.ts';

/** Lanes to the records service of every store in `targets`; they connect by themselves, now and whenever one breaks. */
export function recordLanes(options: { readonly targets: string; readonly identity: RpcIdentity; readonly log: Log }): LanePool {
  return new LanePool({ ...options, path: RecordsService.pipe.path });
}
