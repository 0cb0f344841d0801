import type { Cluster } from './cluster.ts';

/** What the processes of a cluster logged as their own mistakes: each message once, with the place it came from. */
export function failures(cluster: Cluster): readonly string[] {
  const lines = cluster.allLogs.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  const ours = lines.filter(({ level, msg }) => level === 'fatal' || msg === 'a call failed' || msg === 'a request failed');
  return [...new Set(ours.map(({ msg, err }) => `${msg}: ${err?.message ?? ''}\n${err?.stack ?? ''}`))];
}

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}
