import { z } from 'zod';
import {
  DeviceAuthorization,
  DeviceDecision,
  DeviceRequest,
  DeviceToken,
  DeviceTokenRequest,
  OAuthError,
  WaitingDevice,
} from '../../../proto/schema/device.ts';
import { answered, define } from '../../endpoint/define.ts';

const authorizeDevice = define({
  method: 'POST',
  path: '/api/oauth2/device/authorize',
  operationId: 'authorizeDevice',
  tag: 'Accounts',
  scope: 'public',
  asksClient: true,
  takesForm: true,
  summary: 'Begin to let a device in',
  description: 'RFC 8628. The device shows the code and polls; its user opens the page, signs in and approves.',
  body: DeviceRequest,
  answers: {
    200: { description: 'What to show, and what to poll by.', schema: DeviceAuthorization },
    400: { description: 'In the form that OAuth clients read.', schema: OAuthError },
  },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.authorizeDevice(request)),
});

const deviceToken = define({
  method: 'POST',
  path: '/api/oauth2/device/token',
  operationId: 'deviceToken',
  tag: 'Accounts',
  scope: 'public',
  asksClient: true,
  takesForm: true,
  summary: 'Ask how it stands with a device',
  body: DeviceTokenRequest,
  answers: {
    200: { description: 'The device is let in; the code is used up.', schema: DeviceToken },
    400: { description: 'In the form that OAuth clients read.', schema: OAuthError },
  },
  errors: ['too_many_attempts', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.deviceToken(request)),
});

const showDevice = define({
  method: 'GET',
  path: '/api/oauth2/device',
  operationId: 'showDevice',
  tag: 'Accounts',
  scope: 'public',
  asksClient: true,
  summary: 'Show what waits for a code',
  query: z.object({ code: z.string().meta({ description: 'As the device shows it.', example: 'BCDF-GHJK' }) }),
  answers: { 200: { description: 'Who asks to be let in.', schema: WaitingDevice } },
  errors: ['bad_query', 'device_not_found', 'too_many_attempts', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.showDevice(request)),
});

const decideDevice = define({
  method: 'POST',
  path: '/api/oauth2/device/decide',
  operationId: 'decideDevice',
  tag: 'Accounts',
  scope: 'rules',
  asksClient: true,
  summary: 'Let a device in, or turn it away',
  body: DeviceDecision,
  answers: { 204: { description: 'The device learns it at its next poll.' } },
  errors: ['device_not_found', 'too_many_attempts', 'unavailable', 'overloaded', 'timed_out'],
  handle: async ({ auth }, request) => answered(await auth.decideDevice(request)),
});

export const deviceEndpoints = [authorizeDevice, deviceToken, showDevice, decideDevice] as const;
