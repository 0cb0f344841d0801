import { z } from 'zod';

const base64url = z
  .string()
  .max(100_000)
  .regex(/^[\w-]*={0,2}$/, 'must be base64url');
const sessionToken = z.string().max(1_000).meta({ description: 'As the options came with; also as header X-Session-Token or query parameter.' });

export const PasskeySignUp = z
  .object({ email: z.email().max(254), username: z.string().max(150).optional() })
  .meta({ id: 'PasskeySignUp', description: 'Whose account the passkey shall open.' });

export const PasskeySignIn = z
  .object({ identity: z.string().max(254).optional().meta({ description: 'Username or e-mail address; left out, the browser asks which passkey.' }) })
  .meta({ id: 'PasskeySignIn', description: 'Who signs in.' });

/** What the browser made of the options: `PublicKeyCredential.toJSON()` (Web Authentication, 5.1). */
export const PasskeyAnswer = z
  .looseObject({
    sessionToken: sessionToken.optional(),
    name: z.string().max(100).optional().meta({ description: 'What its owner calls the passkey.' }),
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    response: z.looseObject({ clientDataJSON: base64url }),
    clientExtensionResults: z.looseObject({}).default({}),
  })
  .meta({ id: 'PasskeyAnswer', description: "The browser's credential as JSON, beside the session token." });

export type PasskeyAnswer = z.output<typeof PasskeyAnswer>;

export const PasskeyOptions = z
  .object({
    sessionToken,
    options: z.object({ publicKey: z.looseObject({}) }).meta({ description: 'For `navigator.credentials`, its byte strings in base64url.' }),
  })
  .meta({ id: 'PasskeyOptions', description: 'Good once, for five minutes.' });

export const Passkeys = z.array(
  z
    .object({
      id: z.string(),
      name: z.string(),
      backed_up: z.boolean().meta({ description: 'Whether it is kept on several devices.' }),
      created_at: z.string(),
      last_used_at: z.string().nullable(),
    })
    .meta({ id: 'Passkey', description: 'A passkey of an account.' }),
);
