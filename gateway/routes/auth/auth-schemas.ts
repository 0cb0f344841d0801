import { z } from 'zod';

/** SPEC section 2, authentication result. */
export const SignedIn = z
  .object({
    token: z
      .string()
      .meta({ description: 'A JSON Web Token (RFC 7519), good for 24 hours or until logout.', example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln' }),
    record: z.looseObject({ id: z.string().meta({ example: '0198c0de-7a11-7bbb-8ccc-0123456789ab' }) }).meta({ description: 'The account.' }),
  })
  .meta({ id: 'SignedIn', description: 'A session has begun.' });
