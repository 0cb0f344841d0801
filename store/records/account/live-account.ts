import type { RecordDeps } from '../deps.ts';
import type { RecordShape } from '../shape/shape.ts';
import { selectLiveAccounts } from '../statements/account.sql.ts';
import { rowValues } from '../view.ts';

/** The account of a live session, as it is stored now. */
export interface LiveAccount {
  readonly id: string;
  /** The ids of the tokens that are good for the session: the last one, and for a moment the one before it. */
  readonly tokenIds: readonly (string | null | undefined)[];
  /** All its fields, hidden ones too. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reads the account of a session, in one statement with all who ask at the same moment; undefined where the session is over. Never cached. */
export async function readLiveAccount(deps: Pick<RecordDeps, 'database'>, shape: RecordShape, sessionId: string): Promise<LiveAccount | undefined> {
  const read = shape.compiled.get('live accounts', () => ({ statement: selectLiveAccounts(shape), version: shape.schema.version }));
  const row = await deps.database.reads.load(read, sessionId);
  if (row === undefined) return undefined;
  const [, , document, tokenId, id, previousId] = row;
  return { id: id ?? '', tokenIds: [tokenId, previousId], values: rowValues(document ?? '') };
}
