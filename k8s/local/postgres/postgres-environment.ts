import { childEnvironment } from '../../../proto/process/config.ts';

/** What the server process sees: nothing of ours. */
export function postgresEnvironment(): Record<string, string> {
  const { PATH = '' } = childEnvironment({ grant: [], set: {} });
  return { PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}
