import { fail } from '../../proto/errors/svc-error.ts';
import { FaultList, parseInto } from '../../proto/schema/faults.ts';
import type { HttpAnswer, HttpCall } from '../../proto/schema/http-call.ts';
import { SettingsSchema } from '../../proto/schema/settings.ts';
import { parseJson } from '../../proto/values/json.ts';
import { layered, masked, merged, pathsOf, withoutMasks, type Tree } from './effective-settings.ts';
import type { Settings } from './settings.ts';

/** The settings that hold, secrets masked, and where they come from. */
export async function showSettings(settings: Settings): Promise<HttpAnswer> {
  const { values, saved } = await settings.current();
  const sources = new Map(pathsOf(settings.given).map((path) => [path, 'environment']));
  for (const path of pathsOf(saved)) sources.set(path, 'settings');
  return { status: 200, body: JSON.stringify({ ...masked(values), sources: Object.fromEntries<string>(sources) }) };
}

/** Lays the body over what was saved; what it leaves out stays, and null takes back what was saved. Holds everywhere for the next request. */
export async function changeSettings(settings: Settings, call: HttpCall): Promise<HttpAnswer> {
  const patch = readPatch(call.body);
  const options = { label: 'settings.change', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
  await settings.database.transaction(options, async (tx) => {
    const saved = merged(await settings.hold(tx), patch);
    requireSound(settings.given, saved);
    await settings.save(tx, saved);
  });
  return showSettings(settings);
}

function readPatch(body: Uint8Array): Tree {
  const { value } = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail('bad_request', { values: { reason: 'The body must be a JSON object.' } });
  const { sources: _, ...patch } = value as Tree;
  return withoutMasks(patch);
}

function requireSound(given: Tree, saved: Tree): void {
  const faults = new FaultList();
  parseInto(faults, [], SettingsSchema, layered(given, saved));
  faults.throwIfAny();
}
