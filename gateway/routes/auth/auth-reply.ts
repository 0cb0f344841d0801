import type { AuthAnswer } from '../../endpoint/context.ts';
import { headerLines, reply, type Reply } from '../../endpoint/define.ts';

/** An answer about accounts: kept by nobody on the way (RFC 6749, 5.1). */
export function authReply({ status, body, headers }: AuthAnswer): Reply {
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return reply(status, body, headerLines({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...given }));
}
