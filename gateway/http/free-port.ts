import { createServer } from 'node:net';
import { ConfigError } from '../../proto/process/config-error.ts';

/** Refuses a port that somebody listens on: without this the parser would share it silently with a stranger (SO_REUSEPORT). */
export async function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new ConfigError([complaint(host, port, error.code)])));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

function complaint(host: string, port: number, code: string | undefined): string {
  if (code === 'EADDRINUSE') return `SVC_PORT: port ${port} on ${host} is in use already; choose another, or stop what listens there`;
  if (code === 'EACCES') return `SVC_PORT: this user may not listen on port ${port}; choose one above 1023`;
  return `SVC_HOST, SVC_PORT: cannot listen on ${host}:${port} (${code ?? 'unknown reason'})`;
}
