import * as oauth from 'oauth4webapi';
import type { Clock } from '../../proto/values/time.ts';
import { subjectOf, type Answer } from './answer.ts';
import { authorizationServer } from './authorization-server.ts';
import type { OAuthDeclaration, OpenIdDeclaration } from './declaration.ts';
import type { Egress } from './egress.ts';
import { withReason } from './failures.ts';
import { checkIdToken, type IdTokenDeps } from './id-token.ts';
import type { Issuers } from './issuers.ts';
import { OAuthError } from './oauth-error.ts';
import { profileOf, type Profile } from './profile.ts';
import type { Provider } from './provider.ts';
import { ProviderHttp } from './provider-http.ts';
import { declarations } from './providers/declarations.ts';
import { Resources } from './resources.ts';
import { requestTokens, type Callback } from './tokens.ts';

/** What this room works with. */
export interface OAuthDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly issuers: Issuers;
}

/** Redeems the code of a callback and says whom the provider vouches for; fails with `OAuthError`. */
export async function exchangeCode(deps: OAuthDeps, provider: Provider, callback: Callback, signal?: AbortSignal): Promise<Profile> {
  return withReason(provider.title, async () => {
    const declaration = declarations[provider.kind];
    const http = new ProviderHttp({ egress: deps.egress, who: provider.title, signal });
    const server = await authorizationServer(deps.issuers, provider, declaration);
    const client: oauth.Client = { client_id: provider.clientId, [oauth.clockSkew]: deps.issuers.clockSkewS };
    const response = await requestTokens({ http, server, client, clock: deps.clock }, provider, callback);
    const exchange: Exchange = { http, server, client, issuers: deps.issuers, provider, callback, response };
    switch (declaration.is) {
      case 'openid':
        return openIdProfile(exchange, declaration);
      case 'oauth':
        return oauthProfile(exchange, declaration);
    }
  });
}

interface Exchange extends IdTokenDeps {
  readonly provider: Provider;
  readonly callback: Callback;
  readonly response: Response;
}

async function openIdProfile(exchange: Exchange, declaration: OpenIdDeclaration): Promise<Profile> {
  const { http, server, provider, callback, response } = exchange;
  const { answer, accessToken } = await checkIdToken(exchange, { declaration, provider, response, nonce: callback.nonce });
  const subject = subjectOf(http.who, answer, 'sub');
  const userInfoUrl = declaration.readsUserInfo ? server.userinfo_endpoint : undefined;
  const whole = userInfoUrl === undefined ? answer : joined(answer, await userInfo(exchange, { subject, accessToken, userInfoUrl }));
  const members = new Map([...whole.members].filter(([name]) => !protocolClaims.has(name)));
  return profileOf(provider, { subject, ...declaration.facts(whole.values, callback.user) }, members);
}

async function oauthProfile({ http, server, client, provider, response }: Exchange, declaration: OAuthDeclaration): Promise<Profile> {
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  const userInfoUrl = server.userinfo_endpoint ?? '';
  return declaration.readProfile(provider, new Resources({ http, accessToken: tokens.access_token, userInfoUrl }));
}

/** OpenID Connect Core section 5.3.2: the answer counts only when it is about the subject of the token. */
async function userInfo(
  { http }: Exchange,
  { subject, accessToken, userInfoUrl }: { readonly subject: string; readonly accessToken: string; readonly userInfoUrl: string },
): Promise<Answer> {
  const answer = await new Resources({ http, accessToken, userInfoUrl }).object(userInfoUrl);
  if (subjectOf(http.who, answer, 'sub') === subject) return answer;
  throw new OAuthError('bad_token', `${http.who} speaks of one account in its token and of another beside it.`);
}

/** The token's claims and what is told beside them. An address and its verification are taken from the same place, or both speak of one address. */
function joined(token: Answer, beside: Answer): Answer {
  const values = { ...token.values, ...beside.values };
  const isOneAddress = beside.values['email'] === undefined || beside.values['email'] === token.values['email'];
  const isVerified = isOneAddress ? values['email_verified'] : beside.values['email_verified'];
  return { values: { ...values, email_verified: isVerified }, members: new Map([...token.members, ...beside.members]) };
}

/** About the token, not about the person. */
const protocolClaims: ReadonlySet<string> = new Set('acr amr at_hash aud auth_time azp c_hash exp iat iss jti nbf nonce s_hash sid'.split(' '));
