const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const instantPattern = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,20}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z: what both RFC 3339 and four-digit years can write. */
const firstInstantMs = -62_135_596_800_000;
const lastInstantMs = 253_402_300_799_999;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Whether `text` is `YYYY-MM-DD` and names a day of the calendar (Gregorian throughout, as in Postgres), years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  const match = dayPattern.exec(text);
  return match !== null && startOfDay(match) !== undefined;
}

/**
 * Milliseconds since 1970 of an RFC 3339 time; undefined where `text` is none or lies outside the years 0001 to 9999.
 * Beyond the milliseconds fractions are cut, not rounded, so that no time moves into the next day. A leap second
 * (23:59:60 UTC) counts as the second after it, as in POSIX time.
 */
export function parseInstant(text: string): number | undefined {
  const match = instantPattern.exec(text);
  if (match === null) return undefined;
  const startMs = startOfDay(match);
  const [hours, minutes, seconds] = [Number(match[4]), Number(match[5]), Number(match[6])];
  if (startMs === undefined || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const offsetMs = parseOffset(match);
  if (offsetMs === undefined) return undefined;
  const minuteStartMs = startMs + (hours * 60 + minutes) * minuteMs - offsetMs;
  if (seconds === 60 && !isLastMinuteOfDay(minuteStartMs)) return undefined;
  const ms = minuteStartMs + seconds * 1_000 + Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return ms < firstInstantMs || ms > lastInstantMs ? undefined : ms;
}

function startOfDay(match: RegExpExecArray): number | undefined {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; setUTCFullYear does not.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function parseOffset(match: RegExpExecArray): number | undefined {
  const [hours, minutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  const size = (hours * 60 + minutes) * minuteMs;
  return match[8] === '-' ? -size : size;
}

function isLastMinuteOfDay(ms: number): boolean {
  return ((ms % dayMs) + dayMs) % dayMs === dayMs - minuteMs;
}
