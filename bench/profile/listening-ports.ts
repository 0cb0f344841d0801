import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** TCP ports that a process listens on, IPv4, as /proc shows them. */
export function listeningPorts(pid: number): number[] {
  const sockets = new Set(openSockets(pid));
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/));
  return rows.filter((row) => row[3] === LISTEN && sockets.has(row[9] ?? '')).map((row) => Number.parseInt(row[1]?.split(':')[1] ?? '0', 16));
}

function openSockets(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return []; // closed meanwhile
    }
  });
}
