import { subjectOf, type Answer } from '../answer.ts';
import type { OAuthDeclaration } from '../declaration.ts';
import { profileOf } from '../profile.ts';

/** Discord (docs.discord.com/developers/topics/oauth2, docs.discord.com/developers/resources/user). */
export const discord: OAuthDeclaration = {
  is: 'oauth',
  scopes: ['identify', 'email'],
  home: () => ({
    is: 'fixed',
    server: {
      issuer: 'https://discord.com',
      authorization_endpoint: 'https://discord.com/oauth2/authorize',
      token_endpoint: 'https://discord.com/api/oauth2/token',
      userinfo_endpoint: 'https://discord.com/api/users/@me',
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    },
  }),
  async readProfile(provider, resources) {
    const user = await resources.object(resources.userInfoUrl);
    const subject = subjectOf(resources.who, user, 'id');
    const { email, verified, global_name: globalName, username } = user.values;
    const facts = { subject, email, isEmailVerified: verified === true, name: globalName ?? username, username, avatarUrl: avatarUrl(subject, user) };
    return profileOf(provider, facts, user.members);
  },
};

/** The account has the picture's hash; the address is made of it (docs.discord.com/developers/reference, image formatting). */
function avatarUrl(subject: string, { values: { avatar } }: Answer): string | null {
  return typeof avatar === 'string' && /^\w+$/.test(avatar) && /^\d+$/.test(subject)
    ? `https://cdn.discordapp.com/avatars/${subject}/${avatar}.png`
    : null;
}
