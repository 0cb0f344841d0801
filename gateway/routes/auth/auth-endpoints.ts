import type { Endpoint } from '../../endpoint/define.ts';
import { authWithPassword } from './auth-with-password.ts';
import { logout } from './logout.ts';
import { refresh } from './refresh.ts';
import { endSession, endSessions, listSessions } from './sessions.ts';
import { rotateKeys, showKeys } from './signing-keys.ts';

/** SPEC 4.3. */
export const authEndpoints: readonly Endpoint[] = [authWithPassword, refresh, logout, listSessions, endSession, endSessions, showKeys, rotateKeys];
