import { z } from 'zod';

const code = z.string().min(6).max(30).meta({ description: 'Six digits of the app, or a recovery code.', example: '123456' });

export const TotpCode = z.object({ code }).meta({ id: 'TotpCode', description: 'A code of an authenticator app.' });

export const TotpBegun = z
  .object({ secret: z.string().meta({ description: 'Base32.' }), uri: z.string().meta({ description: 'For a picture that the app reads.' }) })
  .meta({ id: 'TotpBegun', description: 'Give it to the app, then confirm with a code.' });

export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes', description: 'Each stands in for the app once; they are shown this once.' });

export const MfaSignIn = z
  .object({ mfaId: z.string().max(1_000).meta({ description: 'data.mfaId of the 401 that the first half was answered with.' }), code })
  .meta({ id: 'MfaSignIn', description: 'The second half of a sign-in.' });

/** The body of a sign-in may name the half that was done before. */
export const MfaHalf = z.looseObject({ mfaId: z.string().max(1_000).optional().catch(undefined) }).catch({ mfaId: undefined });
