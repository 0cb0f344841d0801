import { SvcError } from '../../proto/errors/svc-error.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import type { Catalogue, Schema } from './catalogue.ts';

/** Schema changes that one request may meet before it is told to come back. */
const attemptsMax = 6;

/** A load that was under way already may have been too early; a statement that fails again after that is wrong itself. */
const attemptsOnOneVersion = 2;

/**
 * Runs `work` with this process' copy of the schema, and again where the copy turns out to be old: a statement met
 * another version, or `work` refused the request on the copy's word and the copy is not current any more.
 */
export async function withSchema<Result>(catalogue: Catalogue, work: (schema: Schema) => Promise<Result>): Promise<Result> {
  let schema = catalogue.loaded ?? (await catalogue.current());
  let onThisVersion = 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(schema);
    } catch (error) {
      if (!(await isOutdated(catalogue, schema, error))) throw error;
      if (attempt === attemptsMax) throw new SvcError('schema_busy', {}, error);
      const newer = await catalogue.reload(schema);
      if (newer.version === schema.version && onThisVersion > attemptsOnOneVersion) throw causeOf(error);
      onThisVersion = newer.version === schema.version ? onThisVersion + 1 : 1;
      schema = newer;
    }
  }
}

async function isOutdated(catalogue: Catalogue, schema: Schema, error: unknown): Promise<boolean> {
  if (error instanceof StaleCatalogue) return true;
  if (!(error instanceof SvcError) || error.status >= 500) return false;
  return !(await catalogue.isCurrent(schema));
}

function causeOf(error: unknown): unknown {
  return error instanceof StaleCatalogue ? (error.cause ?? error) : error;
}
