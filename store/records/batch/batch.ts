import { SvcError } from '../../../proto/errors/svc-error.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { checkedAtOnce, inOneTransaction } from '../alone.ts';
import { explainConstraint, explainWait, isWait } from '../constraint.ts';
import { createIn } from '../create.ts';
import { deleteIn } from '../delete.ts';
import type { RecordAnswer, RecordDeps } from '../deps.ts';
import { deferConstraints } from '../statements/check.sql.ts';
import { updateIn } from '../update.ts';
import type { WriteRequest } from '../write-request.ts';
import { lockTargets } from './lock-targets.ts';
import { hashPasswords } from './passwords.ts';
import { readBatch, type BatchWrite } from './read-batch.ts';

/** Carries out many writes in one transaction, in their order: all of them or none. Answers what each would have answered. */
export async function batchRecords(deps: RecordDeps, input: WriteRequest): Promise<RecordAnswer> {
  const writes = readBatch(input.body, deps.ids);
  return withSchema(deps.catalogue, async (schema) => {
    const hashes = await hashPasswords(deps, schema, input, writes);
    try {
      return await inOneTransaction(deps, { request: input, method: 'POST', path: '/api/batch' }, async (tx) => {
        await lockTargets(deps, tx, schema, writes);
        const answers: string[] = [];
        for (const [index, write] of writes.entries())
          answers.push(answerText(await carryOut(deps, tx, schema, { input, index, write, passwordHash: hashes.get(index) })));
        return { status: 200, body: `[${answers.join(',')}]`, etag: '' };
      });
    } catch (error) {
      return explainWait(error);
    }
  });
}

interface Part {
  readonly input: WriteRequest;
  readonly index: number;
  readonly write: BatchWrite;
  readonly passwordHash: string | undefined;
}

async function carryOut(deps: RecordDeps, tx: Transaction, schema: Schema, part: Part): Promise<RecordAnswer> {
  try {
    await tx.execute(deferConstraints, []);
    return await checkedAtOnce(tx, () => carryOutKind(deps, tx, schema, part));
  } catch (error) {
    throw named(explained(deps, schema, part, error), part.index);
  }
}

function carryOutKind(
  deps: RecordDeps,
  tx: Transaction,
  schema: Schema,
  { input, write: { method, collection, id, query, body }, passwordHash }: Part,
): Promise<RecordAnswer> {
  const { principal, isWanted, requestId, headers } = input;
  const request = {
    principal,
    isWanted,
    requestId,
    headers,
    collection,
    query,
    id,
    madeId: id,
    body: Buffer.from(body),
    passwordHash,
    ifMatch: '',
    ifNoneMatch: '',
    idempotencyKey: '',
  };
  switch (method) {
    case 'POST':
      return createIn(deps, tx, schema, request);
    case 'PATCH':
      return updateIn(deps, tx, schema, request);
    case 'DELETE':
      return deleteIn(deps, tx, schema, request);
  }
}

/** What Postgres refused, as the caller is told. */
function explained(deps: RecordDeps, schema: Schema, { write: { collection } }: Part, error: unknown): unknown {
  if (error instanceof SvcError || isWait(error)) return error;
  try {
    return explainConstraint(deps.shapes.named(schema, collection), error);
  } catch (told) {
    return told;
  }
}

/** A refusal names the write that it is about, in its text and before each field. */
function named(error: unknown, index: number): unknown {
  if (!(error instanceof SvcError)) return error;
  const data = Object.fromEntries(Object.entries(error.details.data ?? {}).map(([field, fault]) => [`requests.${index}.body.${field}`, fault]));
  return new SvcError(error.code, { ...error.details, data, part: `requests.${index}` }, error.cause);
}

function answerText({ status, body }: RecordAnswer): string {
  return `{"status":${status},"body":${body === '' ? 'null' : body}}`;
}
