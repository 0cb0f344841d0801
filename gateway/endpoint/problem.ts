import { problemText, retryAfterS } from '../../proto/errors/problem.ts';
import type { SvcError } from '../../proto/errors/svc-error.ts';
import { headerLines, type Reply } from '../http/reply.ts';

/** The answer that tells of `error`. */
export function problemReply(error: SvcError): Reply {
  const plain: Reply = { status: error.status, body: problemText(error), etag: '', retryAfterS: retryAfterS(error) };
  const allow = error.code === 'method_not_allowed' ? error.details.values?.['allow'] : undefined;
  if (allow === undefined) return plain;
  return { ...plain, headers: headerLines({ 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache', Allow: String(allow) }) };
}
