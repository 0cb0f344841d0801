import type { Endpoint } from '../../endpoint/define.ts';
import { authWithPassword } from './auth-with-password.ts';
import { logout } from './logout.ts';

/** SPEC 4.3. */
export const authEndpoints: readonly Endpoint[] = [authWithPassword, logout];
