import type { RuleName, Rules } from '../../../proto/schema/collection.ts';
import type { RulesDraft } from './collection-draft.ts';

const ruleNames: readonly RuleName[] = ['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule', 'subscribeRule'];

/** The rules that a draft leaves: each that it gives, over those there are. */
export function defineRules(draft: RulesDraft, present: Rules): Rules {
  const given = givenRules(draft).map((name) => [name, draft[name]] as const);
  return { ...present, ...Object.fromEntries(given) };
}

/** The rules that a draft gives. */
export function givenRules(draft: RulesDraft): readonly RuleName[] {
  return ruleNames.filter((name) => draft[name] !== undefined);
}
