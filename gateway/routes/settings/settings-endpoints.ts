import { SettingsAnswer, SettingsPatch } from '../../../proto/schema/settings.ts';
import { answered, define, type Endpoint } from '../../endpoint/define.ts';

const showSettings = define({
  method: 'GET',
  path: '/api/settings',
  operationId: 'showSettings',
  tag: 'System',
  scope: 'root',
  summary: 'Show the settings',
  answers: { 200: { description: 'The settings that hold; secrets are masked.', schema: SettingsAnswer } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ settings }, request) => answered(await settings.show(request)),
});

const changeSettings = define({
  method: 'PATCH',
  path: '/api/settings',
  operationId: 'changeSettings',
  tag: 'System',
  scope: 'root',
  summary: 'Change settings',
  description:
    'Merged deeply into what was saved before. A saved value wins over the environment; null takes it back. Every node heeds it from the next request on.',
  body: SettingsPatch,
  answers: { 200: { description: 'The settings that hold now.', schema: SettingsAnswer } },
  errors: ['unavailable', 'overloaded', 'timed_out'],
  handle: async ({ settings }, request) => answered(await settings.change(request)),
});

export const settingsEndpoints: readonly Endpoint[] = [showSettings, changeSettings];
