import { sql, type Sql } from '../../postgres/sql.ts';

/** A conversion of strftime, both its meanings side by side; `at` is a timestamp in UTC. */
export interface TimePart {
  sql(at: Sql): Sql;
  text(at: Date): string;
}

const dayMs = 86_400_000;

/** All conversions of strftime, by their sign. */
export const timeParts: ReadonlyMap<string, TimePart> = new Map([
  ['%d', part(sql`DD`, (at) => padded(at.getUTCDate()))],
  ['%e', { sql: (at) => sql`lpad(${written(at, sql`FMDD`)}, 2)`, text: (at) => String(at.getUTCDate()).padStart(2) }],
  ['%f', part(sql`SS.MS`, (at) => at.toISOString().slice(17, 23))],
  ['%F', part(sql`YYYY-MM-DD`, (at) => at.toISOString().slice(0, 10))],
  ['%H', part(sql`HH24`, (at) => padded(at.getUTCHours()))],
  ['%I', part(sql`HH12`, (at) => padded(at.getUTCHours() % 12 || 12))],
  ['%j', part(sql`DDD`, (at) => padded(dayOfYear(at), 3))],
  ['%m', part(sql`MM`, (at) => padded(at.getUTCMonth() + 1))],
  ['%M', part(sql`MI`, (at) => padded(at.getUTCMinutes()))],
  ['%p', part(sql`AM`, (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM'))],
  ['%R', part(sql`HH24:MI`, (at) => at.toISOString().slice(11, 16))],
  ['%s', { sql: (at) => sql`floor(extract(epoch from ${at}))::bigint::text`, text: (at) => String(Math.floor(at.getTime() / 1_000)) }],
  ['%S', part(sql`SS`, (at) => padded(at.getUTCSeconds()))],
  ['%T', part(sql`HH24:MI:SS`, (at) => at.toISOString().slice(11, 19))],
  ['%u', part(sql`ID`, (at) => String(at.getUTCDay() || 7))],
  ['%w', { sql: (at) => sql`extract(dow from ${at})::text`, text: (at) => String(at.getUTCDay()) }],
  ['%Y', part(sql`YYYY`, (at) => padded(at.getUTCFullYear(), 4))],
  ['%%', { sql: () => sql`'%'`, text: () => '%' }],
]);

function part(format: Sql, text: (at: Date) => string): TimePart {
  return { sql: (at) => written(at, format), text };
}

function written(at: Sql, format: Sql): Sql {
  return sql`to_char(${at}, '${format}')`;
}

function padded(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

function dayOfYear(at: Date): number {
  return (Date.UTC(2_000, at.getUTCMonth(), at.getUTCDate()) - Date.UTC(2_000, 0, 1)) / dayMs + 1 - (isAfterMissingDay(at) ? 1 : 0);
}

/** 2000 has a 29th of February; past it, the days of other years come one earlier. */
function isAfterMissingDay(at: Date): boolean {
  const year = at.getUTCFullYear();
  return at.getUTCMonth() > 1 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0));
}
