import { fault } from '../../../proto/errors/svc-error.ts';
import type { RuleName, Rules } from '../../../proto/schema/collection.ts';
import type { FaultList } from '../../../proto/schema/faults.ts';
import type { RulesDraft } from './collection-draft.ts';

const lockedRules: Rules = { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null };
const ruleNames: readonly RuleName[] = ['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule', 'subscribeRule'];

/** The rules that a draft leaves: each that it gives, over those there are; a new collection is locked. */
export function defineRules(draft: RulesDraft, present: Rules | undefined, faults: FaultList): Rules {
  const given = ruleNames.flatMap((name) => (draft[name] === undefined ? [] : [[name, draft[name]] as const]));
  for (const [name, rule] of given) {
    if (rule !== null && rule !== '')
      faults.add(
        ['rules', name],
        fault('invalid_rule', { reason: 'Expressions are not available yet; give null (locked) or "" (open to everyone).' }),
      );
  }
  return { ...lockedRules, ...present, ...Object.fromEntries(given) };
}
