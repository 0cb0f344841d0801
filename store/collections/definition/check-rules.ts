import { fail, fault, SvcError } from '../../../proto/errors/svc-error.ts';
import type { CollectionDefinition, RuleName } from '../../../proto/schema/definition.ts';
import type { FaultList } from '../../../proto/schema/faults.ts';
import { check, isEmpty, parse, renameIn } from '../../rules/index.ts';
import type { Schema } from '../catalogue.ts';

const brokenNamedMax = 10;

/** Reports the rules of `names` that mean nothing in `schema`, which holds the collection as it is to be. */
export function checkRules(schema: Schema, collection: CollectionDefinition, names: readonly RuleName[], faults: FaultList): void {
  for (const name of names) {
    const reason = whatIsWrong(schema, collection, name);
    if (reason !== undefined) faults.add(['rules', name], fault('invalid_rule', { reason }));
  }
}

/** Reports the rules of `names` that are no expressions, whatever they name. */
export function parseRules(collection: CollectionDefinition, names: readonly RuleName[], faults: FaultList): void {
  for (const name of names) {
    const text = collection.rules[name] ?? '';
    const reason = complaintOf(() => parse(text)) ?? emptyComplaint(text);
    if (reason !== undefined) faults.add(['rules', name], fault('invalid_rule', { reason }));
  }
}

/** Fails with `rules_broken` where a rule that could be read before cannot be read after. */
export function requireRulesHold(before: Schema, after: Schema): void {
  const broken = after.all().flatMap((collection) => {
    const earlier = before.byId(collection.id);
    const names = earlier === undefined ? [] : expressionsOf(collection);
    return names
      .filter((name) => whatIsWrong(after, collection, name) !== undefined && earlier && whatIsWrong(before, earlier, name) === undefined)
      .map((name) => `${name} of ${collection.name} (${whatIsWrong(after, collection, name) ?? ''})`);
  });
  if (broken.length > 0) fail('rules_broken', { values: { rules: broken.slice(0, brokenNamedMax).join(', ') } });
}

/** The collections of `after` whose rules name something by its name in `before`, with the new names in them. */
export function followRenames(before: Schema, after: Schema): readonly CollectionDefinition[] {
  return after.all().flatMap((collection) => {
    const rules = renamedRules(before, after, collection);
    return rules === collection.rules ? [] : [{ ...collection, rules }];
  });
}

/** The rules of `collection` with today's names; the same object where nothing was renamed. */
export function renamedRules(before: Schema, after: Schema, collection: CollectionDefinition): CollectionDefinition['rules'] {
  const earlier = before.byId(collection.id);
  if (earlier === undefined) return collection.rules;
  const renamed = expressionsOf(collection).flatMap((name) => {
    const text = collection.rules[name] ?? '';
    const now = renameIn(text, earlier, { before, after });
    return now === text ? [] : [[name, now] as const];
  });
  return renamed.length === 0 ? collection.rules : { ...collection.rules, ...Object.fromEntries(renamed) };
}

function expressionsOf({ rules }: CollectionDefinition): readonly RuleName[] {
  return (Object.keys(rules) as RuleName[]).filter((name) => (rules[name] ?? '').trim() !== '');
}

function whatIsWrong(schema: Schema, collection: CollectionDefinition, name: RuleName): string | undefined {
  const scope = { schema, collection, use: 'rule', sight: 'full', mayRead: () => true } as const;
  const text = collection.rules[name] ?? '';
  return complaintOf(() => check(parse(text), scope)) ?? emptyComplaint(text);
}

/** A comment alone looks like a rule and lets everybody pass. */
function emptyComplaint(text: string): string | undefined {
  return text !== '' && isEmpty(parse(text)) ? 'It holds no condition: write "" to let everybody pass, or null to lock it.' : undefined;
}

function complaintOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'bad_filter') return error.message;
    throw error;
  }
}
