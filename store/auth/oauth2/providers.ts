import { fail } from '../../../proto/errors/svc-error.ts';
import type { OauthProvider } from '../../../proto/schema/settings.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { optionsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';

const titles: Readonly<Record<OauthProvider['kind'], string>> = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  microsoft: 'Microsoft',
  gitlab: 'GitLab',
  discord: 'Discord',
  oidc: 'OpenID Connect',
};

/** A provider as the settings have it, under its name. */
export interface NamedProvider {
  readonly name: string;
  readonly title: string;
  readonly provider: OauthProvider;
}

/** The providers by which accounts of a collection may sign in. */
export async function providersOf({ settings }: AuthDeps, shape: RecordShape): Promise<readonly NamedProvider[]> {
  const { enabled, providers: allowed } = optionsOf(shape).oauth2;
  if (!enabled) return [];
  const { oauth } = (await settings.current()).values;
  return Object.entries(oauth.providers)
    .filter(([name]) => allowed === null || allowed.includes(name))
    .map(([name, provider]) => ({ name, title: provider.title === '' ? titles[provider.kind] : provider.title, provider }));
}

/** The provider of this name; fails with `provider_not_found`. */
export async function providerOf(deps: AuthDeps, shape: RecordShape, name: string): Promise<NamedProvider> {
  const found = (await providersOf(deps, shape)).find((each) => each.name === name);
  return found ?? fail('provider_not_found');
}

/** What the workers are told of a provider: members that are not set are left out. */
export function forWorkers({ name, title, provider }: NamedProvider): object {
  const set = Object.entries(provider).filter(([, value]) => value !== null && value !== '');
  return { clientSecret: '', ...Object.fromEntries<unknown>(set), name, title };
}

/** Where a provider sends the browser back to; the address that is registered with it. */
export async function callbackUrl({ settings }: AuthDeps, shape: RecordShape, name: string): Promise<string> {
  const { publicUrl } = (await settings.current()).values.app;
  return `${publicUrl.replace(/\/+$/, '')}/api/svc/${shape.collection.name}/oauth2/${name}/callback`;
}
