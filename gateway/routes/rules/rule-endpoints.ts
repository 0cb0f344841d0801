import type { Endpoint } from '../../endpoint/define.ts';
import { explainRule } from './explain-rule.ts';

/** For those who write rules. */
export const ruleEndpoints: readonly Endpoint[] = [explainRule];
