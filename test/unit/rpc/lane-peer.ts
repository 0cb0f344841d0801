import { RecordsService } from '../../../proto/gen/svc/v1/records.ts';
import { LaneServer, type LaneContext, type LaneReply } from '../../../proto/rpc/lane-server.ts';
import type { LaneCall } from '../../../proto/rpc/lane-codec.ts';
import { RpcServer } from '../../../proto/rpc/server.ts';
import { identity, TestLog } from './rpc-fixture.ts';

// A service in a process of its own, so that a test can kill or stop it: `lane-peer.js <address>`. It ends with its parent.

const log = new TestLog();
const server = new RpcServer({ listen: process.argv[2] ?? '', identity, log });
server.add(RecordsService, { pipe: new LaneServer({ handle, classOf: () => 'read', log }) });
process.on('disconnect', () => process.exit(0));
process.on('message', () => void server.close().then(() => process.exit(0)));
await server.listen();
process.send?.('listening');

/** Answers with the body, at once or after so many milliseconds as the record's id says, or with so many bytes as the query says. */
async function handle(call: LaneCall, _context: LaneContext): Promise<LaneReply> {
  if (call.record === 'stuck') return new Promise(() => undefined);
  if (call.record !== '') await new Promise((resolve) => setTimeout(resolve, Number(call.record)));
  return { status: 200, body: call.query === '' ? call.body : 'x'.repeat(Number(call.query)) };
}
