import { connect, createServer, type AddressInfo } from 'node:net';
import { ConfigError } from '../../proto/process/config-error.ts';
import { urlHost } from '../../proto/process/process-config.ts';

export interface PortClaim {
  /** The variable that names the port, for the message. */
  readonly variable: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/**
 * The port, proven free. The gateways share it among themselves (SO_REUSEPORT), and would share it silently with a stranger's
 * process as well; so it is bound exclusively once before any of them starts, and nobody may answer there.
 */
export async function freePort(claim: PortClaim): Promise<number> {
  const port = await bindOnce(claim);
  if (await answers(claim.host, port)) refuse(claim, 'something answers there already');
  return port;
}

async function bindOnce(claim: PortClaim): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: claim.host, port: claim.port, exclusive: true }, resolve);
    });
    return (server.address() as AddressInfo).port;
  } catch (error) {
    return refuse(claim, reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message);
  } finally {
    server.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use by another process; stop that one, or choose another port',
  EACCES: 'this user may not listen there; ports below 1024 belong to root',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this host name is not known',
};

function refuse({ variable, host, port }: PortClaim, reason: string): never {
  throw new ConfigError([`${variable}: cannot listen on ${urlHost(host)}:${port}: ${reason}`]);
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: anyHosts[host] ?? host, port, timeout: 500 });
    const settle = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

/** How to reach a server that listens on every address. */
const anyHosts: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
