import { z } from 'zod';

/** SPEC section 2, authentication result. */
export const SignedIn = z
  .object({
    token: z.string().meta({
      description:
        'A JSON Web Token (RFC 7519), good for 24 hours (see `auth.tokenDuration` of the collection), until it is refreshed, or until logout.',
      example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    }),
    record: z.looseObject({ id: z.string().meta({ example: '0198c0de-7a11-7bbb-8ccc-0123456789ab' }) }).meta({ description: 'The account.' }),
  })
  .meta({ id: 'SignedIn', description: 'A session has begun, or goes on.' });

const moment = z.string().meta({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' });

const SessionSchema = z
  .object({
    id: z.string(),
    method: z.string().meta({ description: 'How it began.', example: 'password' }),
    address: z.string().meta({ example: '203.0.113.7' }),
    user_agent: z.string(),
    created_at: moment,
    refreshed_at: moment.nullable(),
    expires_at: moment,
    current: z.boolean().meta({ description: 'Whether it is the session that asks.' }),
  })
  .meta({ id: 'Session', description: 'A sign-in that is not over.' });

export const Sessions = z.array(SessionSchema);

/** RFC 7517, section 5. */
export const JwkSet = z
  .object({
    keys: z.array(
      z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig') }),
    ),
  })
  .meta({ id: 'JwkSet', description: 'The public keys by which tokens can be verified.' });
