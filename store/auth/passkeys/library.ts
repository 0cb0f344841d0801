/** Loaded when a passkey is first met: it takes as long to load as half of the store. */
export const passkeyLibrary = () => import('@simplewebauthn/server');
