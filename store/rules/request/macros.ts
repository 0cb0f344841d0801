const dayMs = 86_400_000;

/** What the time macros stand for; all of them in UTC. Instants are milliseconds since 1970, the parts plain numbers. */
export const macros = {
  now: instant((now) => now.getTime()),
  yesterday: instant((now) => now.getTime() - dayMs),
  tomorrow: instant((now) => now.getTime() + dayMs),
  todayStart: instant((now) => startOf(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())),
  todayEnd: instant((now) => startOf(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - 1),
  monthStart: instant((now) => startOf(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  monthEnd: instant((now) => startOf(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1),
  yearStart: instant((now) => startOf(now.getUTCFullYear(), 0, 1)),
  yearEnd: instant((now) => startOf(now.getUTCFullYear() + 1, 0, 1) - 1),
  second: part((now) => now.getUTCSeconds()),
  minute: part((now) => now.getUTCMinutes()),
  hour: part((now) => now.getUTCHours()),
  day: part((now) => now.getUTCDate()),
  weekday: part((now) => now.getUTCDay()),
  month: part((now) => now.getUTCMonth() + 1),
  year: part((now) => now.getUTCFullYear()),
} as const;

export type MacroName = keyof typeof macros;

export interface Macro {
  readonly type: 'instant' | 'number';
  at(now: Date): number;
}

export function isMacroName(name: string): name is MacroName {
  return Object.hasOwn(macros, name);
}

function instant(at: (now: Date) => number): Macro {
  return { type: 'instant', at };
}

function part(at: (now: Date) => number): Macro {
  return { type: 'number', at };
}

function startOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
