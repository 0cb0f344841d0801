import { RulesService } from '../../proto/gen/svc/v1/rules.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { Credentials } from '../principal/credentials.ts';
import type { RecordDeps } from '../records/deps.ts';
import { explainRule } from '../records/explain/explain.ts';

/** What the rules service stands on. */
export interface RulesServiceDeps {
  readonly records: RecordDeps;
  readonly credentials: Credentials;
}

/** Adds the rules service to `server`; for root users and the admin key. */
export function addRules(server: RpcServer, { records, credentials }: RulesServiceDeps): void {
  server.add(RulesService, {
    explain: async ({ collection, body }, { credential }) => {
      await credentials.requirePrivileged(credential);
      return { body: Buffer.from(JSON.stringify(await explainRule(records, { collection, body }))) };
    },
  });
}
