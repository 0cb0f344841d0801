import { fail } from '../../../proto/errors/svc-error.ts';
import type { Sight } from './document.ts';
import type { RecordShape } from './shape.ts';

/** The members that every record has before its fields. */
const systemMembers: readonly string[] = ['id', 'created_at', 'updated_at'];

/** Whether the caller may name `name`: a hidden field is as absent to him as one that never was. */
function isMember(shape: RecordShape, sight: Sight, name: string): boolean {
  if (systemMembers.includes(name)) return true;
  const field = shape.byName.get(name);
  return field !== undefined && (!field.isHidden || sight === 'full');
}

/** Fails with `bad_query` where `names` holds what the caller may not name. */
export function requireMembers(shape: RecordShape, sight: Sight, parameter: string, names: readonly string[]): void {
  for (const name of names) {
    if (!isMember(shape, sight, name))
      fail('bad_query', { values: { parameter, reason: `there is no field called ${JSON.stringify(name.slice(0, 64))}` } });
  }
}
