import { createHash } from 'node:crypto';
import { fail } from '../../proto/errors/svc-error.ts';
import type { Plan } from '../../proto/schema/collection.ts';
import type { TablePlan } from './table/table-plan.ts';

const idLength = 12;
const idSpace = 36n ** BigInt(idLength);

export interface PlanSubject {
  readonly action: 'create' | 'update' | 'delete';
  /** The catalogue's version that the plan is made upon. */
  readonly version: string;
  readonly name: string;
  /** The body's JSON text without white space; empty where there is none. */
  readonly body: string;
}

/** What a plan follows from, so that equal hashes mean equal plans: the schema, and what is asked of it. */
export function planHash({ action, version, name, body }: PlanSubject): string {
  return createHash('sha256')
    .update(JSON.stringify([action, version, name, body]))
    .digest('hex');
}

/** Fails where the caller has seen another plan than the one that would be carried out. */
export function requireSamePlan(seen: string, hash: string): void {
  if (seen !== '' && seen !== hash) fail('schema_moved');
}

/**
 * Ids for what a change makes, drawn from the plan's hash instead of chance: so the statements that a plan shows are the
 * very ones that run. They do not repeat, because the hash holds the catalogue's version, and each change raises it.
 */
export function plannedIds(hash: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    const digest = createHash('sha256').update(`${hash}:${count}`).digest('hex');
    return (BigInt(`0x${digest}`) % idSpace).toString(36).padStart(idLength, '0');
  };
}

/** A plan as the wire shows it. */
export function planText(plan: TablePlan, hash: string): string {
  const answer: Plan = {
    statements: plan.steps.flatMap((step) => (step.kind === 'statement' ? [oneLine(step.statement.compile().text)] : [])),
    locks: plan.locks.map(({ table, mode }) => `${mode} on ${table}`),
    rewrites: plan.rewrites,
    destructive: [...plan.destructive],
    breaks: [...plan.breaks],
    hash,
  };
  return JSON.stringify(answer);
}

/** Only the line breaks of our own layout, which stand before indented lines; those inside a quoted default stay. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\n {4,}/g, ' ');
}
