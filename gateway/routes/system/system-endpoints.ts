import type { Endpoint } from '../../endpoint/define.ts';
import { home } from './home.ts';
import { live } from './live.ts';
import { ready } from './ready.ts';

/** What answers for the process itself. */
export const systemEndpoints: readonly Endpoint[] = [home, live, ready];
