import type { MetricsJson } from './metrics.ts';

// What a role and its supervisor say to each other over the IPC channel.

/** From a role to its supervisor. */
export type ChildMessage =
  | ({ readonly kind: 'ready' } & ReadyInfo)
  | { readonly kind: 'readiness'; readonly ready: boolean; readonly reasons: readonly string[] }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricsJson };

/** From the supervisor to a role. */
export type SupervisorMessage = { readonly kind: 'metrics'; readonly id: number } | { readonly kind: 'drain' };

/** What a role tells when it is ready, such as the port that the system chose. */
export interface ReadyInfo {
  readonly port?: number;
  readonly adminPort?: number;
  /** Where it takes gRPC calls: `unix:/path` or `host:port`. */
  readonly listen?: string;
}

/** The channel to the supervisor, absent when a role runs on its own. */
export interface SupervisorChannel {
  send(message: ChildMessage): void;
  onMessage(handle: (message: SupervisorMessage) => void): void;
  onClosed(handle: () => void): void;
}

/** This process' channel to its supervisor, if it was started by one. */
export function supervisorChannel(): SupervisorChannel | undefined {
  if (process.send === undefined) return undefined;
  return {
    // A failed send means that the channel is gone, which `onClosed` reports.
    send: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => undefined)),
    onMessage: (handle) => void process.on('message', (message) => isSupervisorMessage(message) && handle(message)),
    onClosed: (handle) => void process.once('disconnect', handle),
  };
}

function isSupervisorMessage(message: unknown): message is SupervisorMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, id } = message as { kind?: unknown; id?: unknown };
  return kind === 'drain' || (kind === 'metrics' && typeof id === 'number');
}
