import { z } from 'zod';

/** RFC 8628, 3.1; a form or JSON. */
export const DeviceRequest = z
  .looseObject({
    auth_svc: z.string().optional().meta({ description: 'The auth collection; `users` when left out.', example: 'users' }),
    client_id: z.string().optional().meta({ description: 'What the device calls itself; shown to its user.' }),
    scope: z.string().optional(),
  })
  .meta({ id: 'DeviceRequest', description: 'What a device asks for.' });

/** RFC 8628, 3.2. */
export const DeviceAuthorization = z
  .object({
    device_code: z.string(),
    user_code: z.string().meta({ example: 'BCDF-GHJK' }),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int().meta({ description: 'Seconds.', example: 900 }),
    interval: z.int().meta({ description: 'Seconds between polls, at least.', example: 5 }),
  })
  .meta({ id: 'DeviceAuthorization', description: 'What the device shows its user, and polls by.' });

/** RFC 8628, 3.4; a form or JSON. */
export const DeviceTokenRequest = z
  .looseObject({
    grant_type: z.string().meta({ example: 'urn:ietf:params:oauth:grant-type:device_code' }),
    device_code: z.string(),
    client_id: z.string().optional(),
  })
  .meta({ id: 'DeviceTokenRequest', description: 'A poll.' });

/** RFC 6749, 5.1. */
export const DeviceToken = z
  .object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int(), record: z.looseObject({ id: z.string() }) })
  .meta({ id: 'DeviceToken', description: 'A session has begun.' });

/** RFC 6749, 5.2, and RFC 8628, 3.5. */
export const OAuthError = z
  .object({
    error: z.enum([
      'authorization_pending',
      'slow_down',
      'access_denied',
      'expired_token',
      'invalid_grant',
      'unsupported_grant_type',
      'invalid_request',
    ]),
    error_description: z.string(),
  })
  .meta({ id: 'OAuthError', description: 'A refusal in the form that OAuth clients read.' });

export const WaitingDevice = z
  .object({
    auth_svc: z.string(),
    client_id: z.string(),
    scope: z.string(),
    address: z.string(),
    user_agent: z.string(),
    expires_in: z.int(),
    methods: z.object({ password: z.boolean(), otp: z.boolean(), passkeys: z.boolean() }),
  })
  .meta({ id: 'WaitingDevice', description: 'Who asks to be let in.' });

export const DeviceDecision = z
  .object({ code: z.string().max(50).meta({ description: 'As the device shows it.' }), approve: z.boolean() })
  .meta({ id: 'DeviceDecision', description: 'Whether the device is let in as the one who asks.' });
