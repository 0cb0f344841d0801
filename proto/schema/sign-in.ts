import { z } from 'zod';

const email = z.email('must be an e-mail address').max(254).meta({ example: 'ada@example.org' });
const password = z.string().min(1).max(1_000).meta({ format: 'password', example: 'correct horse battery' });
const token = z.string().min(1).max(1_000).meta({ description: 'As it stood in the mail.' });

/** The body of a sign-in by password. */
export const PasswordSignIn = z
  .object({
    identity: z.string().min(1).max(254).meta({ description: 'Username or e-mail address, ignoring case.', example: 'ada@example.org' }),
    password,
  })
  .meta({ id: 'PasswordSignIn', description: 'Who signs in, and by which password.' });

export const EmailInput = z.object({ email }).meta({ id: 'EmailInput', description: 'The address of an account.' });

export const TokenInput = z.object({ token }).meta({ id: 'TokenInput', description: 'The token of a mail.' });

export const PasswordReset = z
  .object({ token, password, passwordConfirm: password })
  .meta({ id: 'PasswordReset', description: 'The token of the mail, and the new password twice.' });

export const NewEmail = z
  .object({
    newEmail: email.optional(),
    email: email.optional().meta({ description: 'The same as newEmail.' }),
    password: password.optional().meta({ description: 'Needed where the session is older than 10 minutes and the account has a password.' }),
  })
  .refine(({ newEmail, email: alias }) => newEmail !== undefined || alias !== undefined, { path: ['newEmail'], error: 'required' })
  .meta({ id: 'NewEmail', description: 'The address that an account shall have.' });

export const EmailChange = z.object({ token }).meta({ id: 'EmailChange', description: 'The token of the mail to the new address.' });

export const OtpSignIn = z
  .object({
    email,
    otp: z.string().max(20).optional().meta({ description: 'The six digits.', example: '123456' }),
    code: z.string().max(20).optional().meta({ description: 'The same as otp.' }),
  })
  .refine(({ otp, code }) => otp !== undefined || code !== undefined, { path: ['otp'], error: 'required' })
  .meta({ id: 'OtpSignIn', description: 'The address, and the code that was sent to it.' });

export const OtpAsked = z
  .object({ otpId: z.string() })
  .meta({ id: 'OtpAsked', description: 'The answer is the same whether or not a code was sent.' });

export const RootSetup = z
  .object({
    email,
    password,
    passwordConfirm: password.optional(),
    token: z.string().max(1_000).optional().meta({ description: 'Of the set-up link; instead of the admin key.' }),
  })
  .meta({ id: 'RootSetup', description: 'The first root user.' });

export const SetupState = z.object({ needed: z.boolean().meta({ description: 'Whether there is no root user yet.' }) }).meta({ id: 'SetupState' });

export const SetupLink = z.object({ url: z.string() }).meta({ id: 'SetupLink', description: 'Good once, for a day.' });
