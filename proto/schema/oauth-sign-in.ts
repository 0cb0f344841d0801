import { z } from 'zod';

export const OAuthSignIn = z
  .object({
    provider: z.string().max(64),
    code: z.string().min(1).max(1_000).meta({ description: 'As it stood in the fragment.' }),
    codeVerifier: z.string().min(1).max(200).meta({ description: 'Its SHA-256 is the challenge that the sign-in was begun with (RFC 7636).' }),
    redirectUrl: z.string().max(2_000),
    state: z.string().max(1_000).optional(),
  })
  .meta({ id: 'OAuthSignIn', description: 'The end of a social login.' });

export const OAuthStarted = z
  .object({
    name: z.string(),
    title: z.string(),
    authUrl: z.string(),
    state: z.string(),
    codeChallenge: z.string(),
    codeChallengeMethod: z.literal('S256'),
  })
  .meta({ id: 'OAuthStarted', description: 'Where to send the browser.' });

const isOn = z.object({ enabled: z.boolean() });

export const AuthMethods = z
  .object({
    password: isOn,
    otp: isOn,
    passkeys: isOn,
    oauth2: z.object({
      enabled: z.boolean(),
      providers: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          kind: z.string(),
          authUrl: z.string().meta({ description: 'Open it with redirectUrl and codeChallenge.' }),
          state: z.string().nullable(),
          codeChallenge: z.string().nullable(),
          codeChallengeMethod: z.literal('S256'),
        }),
      ),
    }),
    mfa: isOn,
  })
  .meta({ id: 'AuthMethods', description: 'How accounts sign in.' });
