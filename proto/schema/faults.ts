import type { z } from 'zod';
import { faults as faultTexts, type FaultCode } from '../errors/catalogue.ts';
import { fail, fault, type Fault } from '../errors/svc-error.ts';

export type FaultPath = readonly (string | number)[];

/** More are not of use to anybody, and a hostile body could ask for millions. */
const reportedMax = 200;

/** What is wrong with a body, gathered so that all of it is told at once; `data` names each place as `fields.0.name`. */
export class FaultList {
  readonly #faults = new Map<string, Fault>();

  /** The first fault of a place stands: later ones are its consequences. */
  add(path: FaultPath, found: Fault): void {
    const key = path.join('.');
    if (this.#faults.size < reportedMax && !this.#faults.has(key)) this.#faults.set(key, found);
  }

  addIssues(path: FaultPath, error: z.ZodError): void {
    for (const issue of error.issues) this.#addIssue([...path, ...issue.path.map(pathPart)], issue);
  }

  get isEmpty(): boolean {
    return this.#faults.size === 0;
  }

  /** Fails with `validation_failed` where anything was found. */
  throwIfAny(): void {
    // Object.fromEntries defines its members, so that a key called __proto__ is a key like others.
    if (!this.isEmpty) fail('validation_failed', { data: Object.fromEntries(this.#faults) });
  }

  #addIssue(path: FaultPath, issue: z.core.$ZodIssue): void {
    if (issue.code !== 'unrecognized_keys') return this.add(path, faultOf(issue));
    for (const key of issue.keys) this.add([...path, key], fault('unknown_key'));
  }
}

/** Parses `value`; where it does not fit, its faults go to `faults` and nothing is returned. Reports missing members as `required`. */
export function parseInto<Schema extends z.ZodType>(
  faults: FaultList,
  path: FaultPath,
  schema: Schema,
  value: unknown,
): z.output<Schema> | undefined {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  faults.addIssues(path, parsed.error);
  return undefined;
}

function pathPart(part: PropertyKey): string | number {
  return typeof part === 'number' ? part : String(part);
}

/** A schema's own message may be a fault code; that fault is then meant. Any other message of ours completes "The value ...". */
function faultOf(issue: z.core.$ZodIssue): Fault {
  if (isFaultCode(issue.message)) return fault(issue.message);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? fault('required') : fault('invalid_type', { expected: wordFor[issue.expected] ?? issue.expected });
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_union':
      return option('options' in issue && Array.isArray(issue.options) ? `must be one of ${issue.options.join(', ')}` : 'is not valid');
    case 'invalid_value':
      return option(`must be one of ${issue.values.join(', ')}`);
    case 'invalid_format':
    case 'custom':
      return option(issue.message);
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
      return option('is not valid');
  }
}

const wordFor: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function option(predicate: string): Fault {
  return fault('invalid_option', { reason: `The value ${predicate}.` });
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): Fault {
  const min = String(minimum);
  if (origin === 'string') return fault('too_short', { min });
  return origin === 'array' ? fault('too_few', { min }) : fault('too_small', { min });
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): Fault {
  const max = String(maximum);
  if (origin === 'string') return fault('too_long', { max });
  return origin === 'array' ? fault('too_many', { max }) : fault('too_large', { max });
}

function isFaultCode(message: string): message is FaultCode {
  return Object.hasOwn(faultTexts, message);
}
