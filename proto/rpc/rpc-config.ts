import { z } from 'zod';
import { parseTarget, parseTargets } from './target.ts';

/** Where to listen, as the environment says it: `unix:/path` or `host:port`. */
export function listenAddress(): z.ZodType<string> {
  return z.string().refine(parses(parseTarget)).describe('an address to listen on: unix:/path or host:port');
}

/** Whom to call, as the environment says it: a comma list of `unix:/path` or `host:port`. */
export function targetList(): z.ZodType<string> {
  return z.string().refine(parses(parseTargets)).describe('where the service listens: unix:/path or host:port, or a comma list of them');
}

/** The keys that every role reads to prove that it belongs to the cluster. */
export const identityShape = {
  SVC_CLUSTER_KEY: z.string().min(16).describe('the key that all processes of the cluster share, of at least 16 characters').optional(),
  SVC_TLS_CA: z.string().describe('the file of the certificate authority for TLS between the roles').optional(),
  SVC_TLS_CERT: z.string().describe("the file of this process' certificate for TLS between the roles").optional(),
  SVC_TLS_KEY: z.string().describe("the file of this process' private key for TLS between the roles").optional(),
  SVC_TLS_SERVER_NAME: z.string().describe('the name in the certificates of the other roles, when it is not their host').optional(),
};

function parses(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}
