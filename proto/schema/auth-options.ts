import { z } from 'zod';

const tokenDurationDefaultS = 86_400;
const yearS = 31_536_000;
const redirectUrlsMax = 100;
const providersMax = 50;

const enabled = z.boolean().optional();
const method = z.strictObject({ enabled });

const redirectUrl = z
  .string()
  .max(2_000)
  .refine((text) => isRedirectUrl(text), 'must be an absolute URL without a fragment');

/** How accounts of a collection sign in, as a definition gives it; what is left out is on, or stays as it is. */
export const AuthOptionsInput = z
  .strictObject({
    tokenDuration: z
      .int()
      .min(60)
      .max(yearS)
      .optional()
      .meta({ description: 'Seconds that a session lasts unless it is refreshed.', example: 86_400 }),
    password: method.optional(),
    otp: method.optional().meta({ description: 'Codes of six digits by e-mail.' }),
    passkeys: method.optional(),
    oauth2: z
      .strictObject({
        enabled,
        providers: z
          .array(z.string().max(64))
          .max(providersMax)
          .nullable()
          .optional()
          .meta({ description: 'Names of providers of the settings; null: all.' }),
        redirectUrls: z.array(redirectUrl).max(redirectUrlsMax).optional().meta({ description: 'Where a social login may end; compared exactly.' }),
      })
      .optional(),
    mfa: method.optional().meta({ description: 'Whether a sign-in takes two different methods; a passkey counts as two.' }),
  })
  .meta({ id: 'AuthOptionsInput', description: 'How accounts sign in; only for auth collections.' });

export type AuthOptionsDraft = z.output<typeof AuthOptionsInput>;

const isOn = z.object({ enabled: z.boolean() });

export const AuthOptionsSchema = z
  .object({
    tokenDuration: z.int(),
    password: isOn,
    otp: isOn,
    passkeys: isOn,
    oauth2: z.object({ enabled: z.boolean(), providers: z.array(z.string()).nullable(), redirectUrls: z.array(z.string()) }),
    mfa: isOn,
  })
  .meta({ id: 'AuthOptions', description: 'How accounts sign in.' });

export type AuthOptions = z.output<typeof AuthOptionsSchema>;

/** What holds where a definition says nothing. */
export const authOptionsDefault: AuthOptions = {
  tokenDuration: tokenDurationDefaultS,
  password: { enabled: true },
  otp: { enabled: true },
  passkeys: { enabled: true },
  oauth2: { enabled: true, providers: null, redirectUrls: [] },
  mfa: { enabled: false },
};

/** What `draft` says, over what holds already. */
export function mergedAuthOptions(present: AuthOptions, draft: AuthOptionsDraft): AuthOptions {
  const isEnabled = (name: 'password' | 'otp' | 'passkeys' | 'mfa') => ({ enabled: draft[name]?.enabled ?? present[name].enabled });
  const { oauth2 } = draft;
  return {
    tokenDuration: draft.tokenDuration ?? present.tokenDuration,
    password: isEnabled('password'),
    otp: isEnabled('otp'),
    passkeys: isEnabled('passkeys'),
    oauth2: {
      enabled: oauth2?.enabled ?? present.oauth2.enabled,
      providers: oauth2?.providers === undefined ? present.oauth2.providers : oauth2.providers,
      redirectUrls: oauth2?.redirectUrls ?? present.oauth2.redirectUrls,
    },
    mfa: isEnabled('mfa'),
  };
}

/** Of an app's own scheme too (RFC 8252, 7.1); never one that a browser would run. */
function isRedirectUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, username } = new URL(text);
  return username === '' && !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(protocol);
}
