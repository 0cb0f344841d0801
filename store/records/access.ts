import { fail } from '../../proto/errors/svc-error.ts';
import type { Principal } from '../principal/principal.ts';
import type { Sight } from './shape/document.ts';
import type { RecordShape } from './shape/shape.ts';

/** The rules that govern record operations, by what they govern. */
export type RuleName = 'listRule' | 'viewRule' | 'createRule' | 'updateRule' | 'deleteRule';

/** Passes who may do what `rule` governs; a locked rule keeps guests out with 401 (CONTRACT section 1). */
export function requireRule(shape: RecordShape, rule: RuleName, principal: Principal): void {
  switch (principal.kind) {
    case 'admin':
      return;
    case 'guest':
      if (shape.collection.rules[rule] === null) fail('unauthorized');
  }
}

/** What `principal` sees of a record: hidden fields are for the administrator alone. */
export function sightOf(shape: RecordShape, principal: Principal): Sight {
  return shape.hasHidden && principal.kind === 'admin' ? 'full' : 'public';
}
