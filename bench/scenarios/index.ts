import { create } from './create.ts';
import { get } from './get.ts';
import { list, listSorted } from './list.ts';
import { scaleOut } from './scale-out.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios, in the order in which they run: what only reads comes before what writes. */
export const scenarios: readonly Scenario[] = [get, scaleOut, list, listSorted, create];
