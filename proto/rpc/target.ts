import path from 'node:path';

/** Where a peer listens, or where we do. */
export type RpcTarget = { readonly kind: 'unix'; readonly path: string } | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** `unix:/path` or `host:port` (an IPv6 host in brackets); throws a TypeError that says what is wrong. */
export function parseTarget(text: string): RpcTarget {
  if (text.startsWith('unix:')) return unixTarget(text.slice('unix:'.length));
  const match = /^(\[[0-9A-Fa-f:.%]+\]|[^\s:/[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match?.[1] || port > portMax) throw new TypeError(`"${text}" is no gRPC address; it should be unix:/path or host:port`);
  return { kind: 'tcp', host: match[1], port };
}

/** A comma list of targets, at least one. */
export function parseTargets(list: string): RpcTarget[] {
  const targets = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (targets.length === 0) throw new TypeError('a gRPC address is needed: unix:/path or host:port, or a comma list of them');
  return [...new Set(targets)].map(parseTarget);
}

/** The target as people and grpc-js write it. */
export function targetText(target: RpcTarget): string {
  return target.kind === 'unix' ? `unix:${target.path}` : `${target.host}:${target.port}`;
}

const portMax = 65535;

/** sockaddr_un holds 104 bytes on macOS and 108 on Linux; beyond that the system cuts the path silently or refuses it. */
const socketPathBytesMax = 100;

function unixTarget(text: string): RpcTarget {
  if (text === '' || text.includes('\0')) throw new TypeError(`"unix:${text}" names no socket; it should be unix:/path`);
  const absolute = path.resolve(text.replace(/^\/\/(?=\/)/, ''));
  if (Buffer.byteLength(absolute) <= socketPathBytesMax) return { kind: 'unix', path: absolute };
  throw new TypeError(`the socket path ${absolute} is longer than ${socketPathBytesMax} bytes; choose a shorter folder`);
}
