import { AuthService } from '../../proto/gen/svc/v1/auth.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { authorizeDevice } from '../auth/device/authorize-device.ts';
import { decideDevice, showDevice } from '../auth/device/decide-device.ts';
import { deviceToken } from '../auth/device/device-token.ts';
import { confirmEmailChange, requestEmailChange } from '../auth/email/change-email.ts';
import { confirmVerification, requestVerification } from '../auth/email/verify-email.ts';
import { beginTotp, confirmTotp, removeTotp } from '../auth/mfa/manage-totp.ts';
import { signInWithMfa } from '../auth/mfa/sign-in-with-mfa.ts';
import { finishOAuth } from '../auth/oauth2/finish-oauth.ts';
import { showAuthMethods, signInWithOAuth } from '../auth/oauth2/sign-in-with-oauth.ts';
import { startOAuth } from '../auth/oauth2/start-oauth.ts';
import { requestOtp } from '../auth/otp/request-otp.ts';
import { signInWithOtp } from '../auth/otp/sign-in-with-otp.ts';
import { confirmPasswordReset, requestPasswordReset } from '../auth/password/reset-password.ts';
import { rotateKeys, showKeys } from '../auth/keys/show-keys.ts';
import { signInWithPassword } from '../auth/password/sign-in-with-password.ts';
import { addPasskey, addPasskeyOptions, listPasskeys, removePasskey } from '../auth/passkeys/manage-passkeys.ts';
import { passkeySignInOptions, signInWithPasskey } from '../auth/passkeys/sign-in-with-passkey.ts';
import { passkeySignUp, passkeySignUpOptions } from '../auth/passkeys/sign-up.ts';
import { impersonate } from '../auth/root/impersonate.ts';
import { makeSetupLink, setUp, showSetup } from '../auth/root/setup.ts';
import { endSession, endSessions, signOut } from '../auth/sessions/end-sessions.ts';
import { listSessions } from '../auth/sessions/list-sessions.ts';
import { refresh } from '../auth/sessions/refresh.ts';
import type { Credentials } from '../principal/credentials.ts';
import { HttpServing } from './http-service.ts';

/** Adds the auth service to `server`. */
export function addAuth(server: RpcServer, deps: { readonly auth: AuthDeps; readonly credentials: Credentials }): void {
  const serve = new HttpServing(deps.auth, deps.credentials);
  server.add(AuthService, {
    signInWithPassword: serve.open(signInWithPassword),
    signOut: serve.known(signOut),
    refresh: serve.presented(refresh),
    listSessions: serve.known(listSessions),
    endSession: serve.known(endSession),
    endSessions: serve.known(endSessions),
    requestPasswordReset: serve.open(requestPasswordReset),
    confirmPasswordReset: serve.open(confirmPasswordReset),
    requestVerification: serve.known(requestVerification),
    confirmVerification: serve.open(confirmVerification),
    requestEmailChange: serve.known(requestEmailChange),
    confirmEmailChange: serve.open(confirmEmailChange),
    requestOtp: serve.open(requestOtp),
    signInWithOtp: serve.open(signInWithOtp),
    passkeySignUpOptions: serve.open(passkeySignUpOptions),
    passkeySignUp: serve.open(passkeySignUp),
    passkeySignInOptions: serve.open(passkeySignInOptions),
    signInWithPasskey: serve.open(signInWithPasskey),
    addPasskeyOptions: serve.known(addPasskeyOptions),
    addPasskey: serve.known(addPasskey),
    listPasskeys: serve.known(listPasskeys),
    removePasskey: serve.known(removePasskey),
    authorizeDevice: serve.open(authorizeDevice),
    deviceToken: serve.open(deviceToken),
    showDevice: serve.open(showDevice),
    decideDevice: serve.known(decideDevice),
    showAuthMethods: serve.open(showAuthMethods),
    startOAuth: serve.open(startOAuth),
    finishOAuth: serve.open(finishOAuth),
    signInWithOAuth: serve.open(signInWithOAuth),
    beginTotp: serve.known(beginTotp),
    confirmTotp: serve.known(confirmTotp),
    removeTotp: serve.known(removeTotp),
    signInWithMfa: serve.open(signInWithMfa),
    impersonate: serve.privileged(impersonate),
    showSetup: serve.open(showSetup),
    makeSetupLink: serve.privileged(makeSetupLink),
    setUp: serve.known(setUp),
    showKeys: serve.open(showKeys),
    rotateKeys: serve.privileged(rotateKeys),
  });
}
