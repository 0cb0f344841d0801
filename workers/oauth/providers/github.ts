import { isObject, subjectOf } from '../answer.ts';
import type { OAuthDeclaration } from '../declaration.ts';
import { profileOf } from '../profile.ts';
import type { Resources } from '../resources.ts';

/** GitHub, its own or an Enterprise Server (docs.github.com/apps/oauth-apps, docs.github.com/rest/users). */
export const github: OAuthDeclaration = {
  is: 'oauth',
  scopes: ['read:user', 'user:email'],
  home: () => ({
    is: 'fixed',
    server: {
      issuer: 'https://github.com',
      authorization_endpoint: 'https://github.com/login/oauth/authorize',
      token_endpoint: 'https://github.com/login/oauth/access_token',
      userinfo_endpoint: 'https://api.github.com/user',
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
  }),
  async readProfile(provider, resources) {
    const user = await resources.object(resources.userInfoUrl, apiHeaders);
    const { email, isEmailVerified } = await primaryAddress(resources);
    const { name, login, avatar_url: avatarUrl } = user.values;
    const facts = { subject: subjectOf(resources.who, user, 'id'), email, isEmailVerified, name: name ?? login, username: login, avatarUrl };
    return profileOf(provider, facts, user.members);
  },
};

const apiHeaders = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } as const;

/** The address of `/user` is the one shown in public, verified or not; only the list says. Without the scope `user:email` there is none. */
async function primaryAddress(resources: Resources): Promise<{ readonly email: unknown; readonly isEmailVerified: boolean }> {
  const url = new URL(resources.userInfoUrl);
  url.pathname += '/emails';
  url.searchParams.set('per_page', '100');
  const addresses = (await resources.listIfShown(url.href, apiHeaders)) ?? [];
  const primary = addresses.filter(isObject).find((each) => each['primary'] === true);
  return { email: primary?.['email'], isEmailVerified: primary?.['verified'] === true };
}
