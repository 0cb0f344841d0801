import { z } from 'zod';

/** What stands in the place of a secret; sent back, it leaves the secret as it is. */
export const secretMask = '********';

export const mailProviders = ['ses', 'resend', 'mailgun', 'sendgrid', 'cloudflare', 'smtp', 'console'] as const;
export type MailProvider = (typeof mailProviders)[number];

const oauthKinds = ['google', 'github', 'apple', 'microsoft', 'gitlab', 'discord', 'oidc'] as const;

const word = z.string().max(500);
const secret = z
  .string()
  .max(10_000)
  .meta({ description: `Shown as ${secretMask}.` });
const url = z
  .string()
  .max(2_000)
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http or https URL');

const ProviderSchema = z.strictObject({
  kind: z.enum(oauthKinds).meta({ description: '`oidc` is any OpenID Connect issuer.' }),
  title: word.default('').meta({ description: 'What people read on the button.' }),
  clientId: word.min(1),
  clientSecret: secret.default(''),
  issuer: url.nullable().default(null).meta({ description: 'For `oidc`; its metadata is found by discovery.' }),
  authUrl: url.nullable().default(null),
  tokenUrl: url.nullable().default(null),
  userInfoUrl: url.nullable().default(null),
  scopes: z.array(word).max(50).nullable().default(null),
  teamId: word.default('').meta({ description: 'For `apple`.' }),
  keyId: word.default('').meta({ description: 'For `apple`; the client secret is then the private key in PEM.' }),
});

export type OauthProvider = z.output<typeof ProviderSchema>;

const RateLimitSchema = z.strictObject({
  label: z
    .string()
    .max(200)
    .regex(
      /^(\/.*|(\*|[A-Za-z_][A-Za-z0-9_]*):(auth|list|view|create|update|delete|subscribe))$/,
      'must be a path prefix or <collection or *>:<action>',
    ),
  maxRequests: z.int().min(1).max(1_000_000),
  intervalSeconds: z.int().min(1).max(86_400),
  audience: z.enum(['all', 'guest', 'user']).default('all'),
});

export type RateLimit = z.output<typeof RateLimitSchema>;

const providerName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be lower-case letters, digits, _ and -');

/** Every setting, with the value that holds where nobody gives one. */
export const SettingsSchema = z
  .strictObject({
    app: z.strictObject({
      name: z.string().min(1).max(100).default('svc').meta({ description: 'What mail and pages call the service.' }),
      publicUrl: url.default('http://localhost:8090').meta({ description: 'The address by which people reach the service.' }),
    }),
    mail: z.strictObject({
      provider: z.enum(mailProviders).nullable().default(null).meta({ description: 'null: no mail is sent.' }),
      fromAddress: z.email().max(254).nullable().default(null),
      fromName: z.string().max(200).default(''),
      apiKey: secret.default('').meta({ description: 'The key, or the user for `smtp`.' }),
      apiSecret: secret.default('').meta({ description: 'The secret key for `ses`, or the password for `smtp`.' }),
      domain: word.default('').meta({ description: 'For `mailgun`; for `cloudflare` the account.' }),
      region: word.default('').meta({ description: 'For `ses`.' }),
      endpoint: word.default('').meta({ description: 'Another address of the provider; for `smtp` its `smtp://host:port`.' }),
    }),
    auth: z.strictObject({
      bcryptCost: z.int().min(10).max(14).default(10),
      passkeys: z.strictObject({
        rpId: word.nullable().default(null).meta({ description: 'The relying party; null: the host of app.publicUrl.' }),
        origins: z.array(word).max(20).default([]).meta({ description: 'Origins of pages beside that of app.publicUrl.' }),
      }),
    }),
    oauth: z.strictObject({ providers: z.record(providerName, ProviderSchema).default({}) }),
    rateLimits: z.strictObject({
      enabled: z.boolean().default(true),
      rules: z
        .array(RateLimitSchema)
        .max(200)
        .default([{ label: '*:auth', maxRequests: 10, intervalSeconds: 3, audience: 'all' }])
        .meta({ description: 'The first rule that fits a request counts it, by client address.' }),
    }),
  })
  .meta({ id: 'Settings', description: 'The settings of the installation.' });

export type SettingsValues = z.output<typeof SettingsSchema>;

/** The settings as an answer shows them. */
export const SettingsAnswer = SettingsSchema.extend({
  sources: z.record(z.string(), z.enum(['settings', 'environment'])).meta({
    description: 'Where the values come from that are not the default, by path; what was saved wins over the environment.',
    example: { 'mail.provider': 'environment' },
  }),
}).meta({ id: 'SettingsAnswer', description: 'The settings that hold; secrets are masked.' });

/** The body of a change; what it leaves out stays, and null takes back what was saved. */
export const SettingsPatch = z.looseObject({}).meta({
  id: 'SettingsPatch',
  description: 'The settings to change, nested as they are shown. null takes back what was saved.',
  example: { app: { name: 'Acme' } },
});
