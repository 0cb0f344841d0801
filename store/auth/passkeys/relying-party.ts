import type { Settings } from '../../settings/settings.ts';

/** For whom passkeys are made, and on whose pages they may be used (Web Authentication, 5.1): never taken from the request. */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  readonly origins: string[];
}

export async function relyingParty(settings: Settings): Promise<RelyingParty> {
  const { app, auth } = (await settings.current()).values;
  const { hostname, origin } = new URL(app.publicUrl);
  return { id: auth.passkeys.rpId ?? hostname, name: app.name, origins: [origin, ...auth.passkeys.origins] };
}
