import { z } from 'zod';

/** The body of a sign-in by password. */
export const PasswordSignIn = z
  .object({
    identity: z.string().min(1).max(254).meta({ description: 'Username or e-mail address, ignoring case.', example: 'ada@example.org' }),
    password: z.string().min(1).max(1_000).meta({ format: 'password', example: 'correct horse battery' }),
  })
  .meta({ id: 'PasswordSignIn', description: 'Who signs in, and by which password.' });
