import { parseInstant } from '../../../proto/fields/calendar.ts';
import { wireTime } from '../../../proto/values/time.ts';

// Day, or day and time to the minute, second or millisecond, with or without zone.
const looseTime = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,20})?)?([Zz]|[+-]\d{2}:\d{2})?)?$/;

/** A time in any form that filters may use, as the wire writes it; without a zone it is UTC. Undefined where it is none. */
export function instantText(text: string): string | undefined {
  const match = looseTime.exec(text);
  if (match === null) return undefined;
  const [, day = '', minutes = '00:00', seconds = ':00', zone = 'Z'] = match;
  const ms = parseInstant(`${day}T${minutes}${seconds}${zone}`);
  return ms === undefined ? undefined : wireTime(ms);
}
