import type { RecordDeps } from '../deps.ts';
import type { RecordShape } from '../shape/shape.ts';
import { selectLiveAccounts } from '../statements/account.sql.ts';
import { rowValues } from '../view.ts';

/** The account of a live session, as it is stored now. */
export interface LiveAccount {
  readonly id: string;
  /** The id of the one token that is good for the session. */
  readonly tokenId: string;
  /** All its fields, hidden ones too. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reads the account of a session, in one statement with all who ask at the same moment; undefined where the session is over. Never cached. */
export async function readLiveAccount(deps: Pick<RecordDeps, 'database'>, shape: RecordShape, sessionId: string): Promise<LiveAccount | undefined> {
  const read = shape.compiled.get('live accounts', () => ({ statement: selectLiveAccounts(shape), version: shape.schema.version }));
  const row = await deps.database.reads.load(read, sessionId);
  if (row === undefined) return undefined;
  const [, , document, tokenId, id] = row;
  return { id: id ?? '', tokenId: tokenId ?? '', values: rowValues(document ?? '') };
}
