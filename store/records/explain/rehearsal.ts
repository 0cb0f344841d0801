import { fail } from '../../../proto/errors/svc-error.ts';
import type { ExplainInput } from '../../../proto/schema/explanation.ts';
import type { Schema } from '../../collections/catalogue.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { explainConstraint } from '../constraint.ts';
import { createIn } from '../create.ts';
import type { RecordDeps } from '../deps.ts';
import { lockAll } from '../lock-stored.ts';
import type { RecordShape } from '../shape/shape.ts';
import { updateIn } from '../update.ts';
import type { WriteRequest } from '../write-request.ts';
import type { ReadVerdicts } from './parts.ts';

const options = { label: 'rules.rehearse', lockTimeoutMs: 2_000, statementTimeoutMs: 10_000 };

/**
 * Judges the record in question as the database sees it. One that is only thought of is written in a transaction that is always
 * rolled back, so that rules which ask for other rows are judged as they would be. No verdicts where no record is named.
 */
export async function onRecord(
  deps: RecordDeps,
  schema: Schema,
  shape: RecordShape,
  asked: Pick<ExplainInput, 'record' | 'recordId'>,
  judge: (read: ReadVerdicts) => Promise<readonly boolean[]>,
): Promise<readonly (boolean | null)[]> {
  const { record, recordId } = asked;
  if (record === undefined && recordId === undefined) return [];
  return rehearse(deps, shape, async (tx) => {
    const id = record === undefined ? (recordId ?? '') : await lay(deps, tx, schema, shape, record);
    return judge(async (statement, values) => {
      const [row] = await tx.execute(statement, [id, ...values]);
      return row ?? fail('record_not_found');
    });
  });
}

/** Ends the transaction without its doing any harm. */
class Undo<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

async function rehearse<Result>(deps: RecordDeps, shape: RecordShape, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await deps.database.transaction<Result>(options, async (tx) => {
      // oxlint-disable-next-line typescript/only-throw-error -- nothing has gone wrong: this is how a transaction is rolled back
      throw new Undo(await work(tx));
    });
  } catch (thrown) {
    if (thrown instanceof Undo) return thrown.result as Result;
    return explainConstraint(shape, thrown);
  }
}

/** Writes the record: over the one of its id, where there is one. Answers the id. */
async function lay(
  deps: RecordDeps,
  tx: Transaction,
  schema: Schema,
  shape: RecordShape,
  record: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = typeof record['id'] === 'string' && record['id'] !== '' ? record['id'] : deps.ids.record();
  const request: WriteRequest = {
    principal: { kind: 'admin' },
    collection: shape.collection.name,
    query: '',
    headers: '',
    body: Buffer.from(JSON.stringify({ ...record, id })),
    isWanted: true,
    requestId: '',
    ifMatch: '',
    idempotencyKey: '',
  };
  const isThere = (await lockAll(tx, shape, [id])).has(id);
  await (isThere ? updateIn(deps, tx, schema, { ...request, id }) : createIn(deps, tx, schema, request));
  return id;
}
