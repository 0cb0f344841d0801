import { problemText, retryAfterS } from '../../proto/errors/problem.ts';
import type { SvcError } from '../../proto/errors/svc-error.ts';
import { headerLines, type Reply } from '../http/reply.ts';

/** The answer that tells of `error`. */
export function problemReply(error: SvcError): Reply {
  const plain: Reply = { status: error.status, body: problemText(error), etag: '', retryAfterS: retryAfterS(error) };
  const more = moreHeaders(error);
  return more === undefined
    ? plain
    : { ...plain, headers: headerLines({ 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache', ...more }) };
}

function moreHeaders({ code, details }: SvcError): Readonly<Record<string, string>> | undefined {
  const { values = {}, retryAfterS: waitS = 0 } = details;
  if (code === 'method_not_allowed' && values['allow'] !== undefined) return { Allow: String(values['allow']) };
  if (code === 'too_many_attempts') return { 'RateLimit-Remaining': '0', 'RateLimit-Reset': String(waitS) };
  if (code !== 'too_many_requests') return undefined;
  return { 'RateLimit-Limit': String(values['max']), 'RateLimit-Remaining': '0', 'RateLimit-Reset': String(waitS) };
}
