import type { Endpoint } from '../../endpoint/define.ts';
import { authWithPassword } from './auth-with-password.ts';
import { deviceEndpoints } from './device.ts';
import { confirmEmailChange, confirmVerification, requestEmailChange, requestVerification } from './email.ts';
import { logout } from './logout.ts';
import { mfaEndpoints } from './mfa.ts';
import { oauthEndpoints } from './oauth2.ts';
import { authWithOtp, requestOtp } from './otp.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { confirmPasswordReset, requestPasswordReset } from './password-reset.ts';
import { refresh } from './refresh.ts';
import { endSession, endSessions, listSessions } from './sessions.ts';
import { makeSetupLink, setUp, showSetup } from './setup.ts';
import { rotateKeys, showKeys } from './signing-keys.ts';

/** SPEC 4.3. */
export const authEndpoints: readonly Endpoint[] = [
  authWithPassword,
  requestOtp,
  authWithOtp,
  ...passkeyEndpoints,
  ...deviceEndpoints,
  ...oauthEndpoints,
  ...mfaEndpoints,
  refresh,
  logout,
  listSessions,
  endSession,
  endSessions,
  requestPasswordReset,
  confirmPasswordReset,
  requestVerification,
  confirmVerification,
  requestEmailChange,
  confirmEmailChange,
  showSetup,
  setUp,
  makeSetupLink,
  showKeys,
  rotateKeys,
];
