import { Session } from 'node:inspector/promises';

/** Frees what nobody needs any more, so that what is measured afterwards is kept, not merely not collected yet. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
