import { SvcError } from '../../../proto/errors/svc-error.ts';
import type { Schema } from '../../collections/catalogue.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { RecordAnswer, RecordDeps, RecordRequest } from '../deps.ts';
import { presentationOf, type Presentation } from './presentation.ts';

/** Runs a write of one record, and shows what was written as its request wants it; what it must not name is refused first. */
export async function presentWritten(
  deps: RecordDeps,
  input: RecordRequest,
  write: (schema: Schema) => Promise<RecordAnswer>,
): Promise<RecordAnswer> {
  if (input.query === '') return withSchema(deps.catalogue, write);
  const answer = await withSchema(deps.catalogue, (schema) => {
    requested(deps, schema, input);
    return write(schema);
  });
  return answer.body === '' ? answer : show(deps, input, answer);
}

/** The write is done: what goes wrong now must not make it run, or look as if it had failed. */
async function show(deps: RecordDeps, input: RecordRequest, answer: RecordAnswer): Promise<RecordAnswer> {
  try {
    return await withSchema(deps.catalogue, async (schema) => {
      const presentation = requested(deps, schema, input);
      return presentation === undefined ? answer : { ...answer, body: (await presentation.show([answer.body])).join(''), etag: '' };
    });
  } catch (error) {
    if (error instanceof SvcError) return { ...answer, etag: '' };
    throw error;
  }
}

function requested(deps: RecordDeps, schema: Schema, input: RecordRequest): Presentation | undefined {
  const shape = deps.shapes.named(schema, input.collection);
  return presentationOf(deps, shape, input.principal, { method: 'GET', query: input.query, headers: input.headers });
}
