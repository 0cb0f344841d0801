import { create } from './create.ts';
import { get } from './get.ts';
import { list, listSorted } from './list.ts';
import { filtered, owned, ownedGet, walk } from './narrowed.ts';
import { scaleOut } from './scale-out.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios, in the order in which they run: what only reads comes before what writes. */
export const scenarios: readonly Scenario[] = [get, scaleOut, list, listSorted, filtered, walk, owned, ownedGet, create];
