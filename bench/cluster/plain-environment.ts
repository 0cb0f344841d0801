import { childEnvironment } from '../../proto/process/config.ts';

/** The environment of a default start: nothing of what a developer has set for another cluster, and no `.env` file. */
export function plainEnvironment(set: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(childEnvironment({ grant: [], set: {} })).filter(([name]) => !name.startsWith('SVC_'));
  return { ...Object.fromEntries(own), SVC_ENV_FILE: 'none', ...set };
}
