import type { z } from 'zod';
import { fail } from '../errors/svc-error.ts';
import { parseJson } from '../values/json.ts';
import { FaultList, parseInto } from './faults.ts';

/** A JSON body as `schema` has it; fails with `malformed_json`, or with all that does not fit. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: Uint8Array): z.output<Schema> {
  const faults = new FaultList();
  const given = parseInto(faults, [], schema, parseJson(body).value);
  faults.throwIfAny();
  return given ?? fail('validation_failed');
}
