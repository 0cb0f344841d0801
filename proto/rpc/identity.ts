import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { credentials, Metadata, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import { ConfigError } from '../process/config-error.ts';
import type { RpcTarget } from './target.ts';

/** How a process proves that it belongs to the cluster: by a shared key, or by a certificate of the cluster's authority. */
export interface RpcIdentity {
  readonly clusterKey?: string;
  readonly tls?: RpcTls;
}

/** PEM texts for mutual TLS; both sides show a certificate that `ca` has signed. */
export interface RpcTls {
  readonly ca: Buffer;
  readonly certificate: Buffer;
  readonly key: Buffer;
  /** The name that the server's certificate carries, when it is not the host of the address. */
  readonly serverName?: string;
}

/** The environment's keys for an identity (CONTRACT section 10), as each role's configuration reads them. */
export interface RpcIdentityConfig {
  readonly SVC_CLUSTER_KEY?: string | undefined;
  readonly SVC_TLS_CA?: string | undefined;
  readonly SVC_TLS_CERT?: string | undefined;
  readonly SVC_TLS_KEY?: string | undefined;
  readonly SVC_TLS_SERVER_NAME?: string | undefined;
}

/** The identity that the environment describes: `SVC_TLS_CA`, `SVC_TLS_CERT` and `SVC_TLS_KEY` are files, given all or none. */
export function readIdentity(config: RpcIdentityConfig): RpcIdentity {
  const tls = readTls(config);
  return { ...(config.SVC_CLUSTER_KEY === undefined ? {} : { clusterKey: config.SVC_CLUSTER_KEY }), ...(tls === undefined ? {} : { tls }) };
}

/** Whether calls that come in at `target` have proven membership by their TLS handshake already. */
export function handshakeProves(identity: RpcIdentity, target: RpcTarget): boolean {
  return target.kind === 'tcp' && identity.tls !== undefined;
}

/** What a client sends with each call and stream. */
export function memberMetadata(identity: RpcIdentity): Metadata {
  const metadata = new Metadata();
  if (identity.clusterKey !== undefined) metadata.set(memberKey, memberProof(identity.clusterKey).toString('hex'));
  return metadata;
}

/** Checks the proof that `memberMetadata` made, in constant time. */
export class MemberCheck {
  readonly #expected: Buffer;

  constructor(clusterKey: string) {
    this.#expected = Buffer.from(memberProof(clusterKey).toString('hex'));
  }

  passes(metadata: Metadata): boolean {
    const values = metadata.get(memberKey);
    const given = Buffer.from(String(values[0] ?? ''));
    return values.length === 1 && given.length === this.#expected.length && timingSafeEqual(given, this.#expected);
  }
}

/** The credentials of a client that calls `target`: TLS across hosts, none on a unix socket. */
export function channelCredentials(identity: RpcIdentity, target: RpcTarget): ChannelCredentials {
  if (target.kind === 'unix' || identity.tls === undefined) return credentials.createInsecure();
  return credentials.createSsl(identity.tls.ca, identity.tls.key, identity.tls.certificate);
}

/** The credentials of a server that listens at `target`; over TLS a client without a certificate is refused by the handshake. */
export function serverCredentials(identity: RpcIdentity, target: RpcTarget): ServerCredentials {
  if (target.kind === 'unix' || identity.tls === undefined) return ServerCredentials.createInsecure();
  const { ca, key, certificate } = identity.tls;
  return ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: certificate }], true);
}

const memberKey = 'svc-member';

/** The key itself never travels: any text may be a key, the proof is always 32 bytes. */
function memberProof(clusterKey: string): Buffer {
  return createHmac('sha256', clusterKey).update('svc cluster member').digest();
}

function readTls(config: RpcIdentityConfig): RpcTls | undefined {
  const { SVC_TLS_CA: ca, SVC_TLS_CERT: certificate, SVC_TLS_KEY: key, SVC_TLS_SERVER_NAME: serverName } = config;
  if (ca === undefined && certificate === undefined && key === undefined) return undefined;
  if (ca === undefined || certificate === undefined || key === undefined)
    throw new ConfigError(['SVC_TLS_CA, SVC_TLS_CERT and SVC_TLS_KEY are given all or none']);
  const files = { ca: readPem('SVC_TLS_CA', ca), certificate: readPem('SVC_TLS_CERT', certificate), key: readPem('SVC_TLS_KEY', key) };
  return serverName === undefined ? files : { ...files, serverName };
}

function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError([`${name}: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`]);
  }
}
