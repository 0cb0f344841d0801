import { LimitsService } from '../../proto/gen/svc/v1/limits.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Credentials } from '../principal/credentials.ts';
import type { Settings } from '../settings/settings.ts';

export interface LimitsServiceDeps {
  readonly settings: Settings;
  readonly attempts: Attempts;
  readonly credentials: Credentials;
}

/** Adds the limits service to `server`; for members of the cluster. */
export function addLimits(server: RpcServer, { settings, attempts, credentials }: LimitsServiceDeps): void {
  server.add(LimitsService, {
    rules: async () => {
      const { enabled, rules } = (await settings.current()).values.rateLimits;
      const told = rules.map(({ label, maxRequests, intervalSeconds, audience }) => ({ label, maxRequests, intervalS: intervalSeconds, audience }));
      return { rules: enabled ? told : [] };
    },
    take: async ({ key, want, maxRequests, intervalS }, { credential }) => {
      if (credentials.isAdmin(credential)) return { granted: 0, resetS: 0, isAdmin: true };
      const { granted, resetS } = await attempts.take({ of: 'request', who: key, max: maxRequests, windowS: intervalS }, want);
      return { granted, resetS, isAdmin: false };
    },
  });
}
