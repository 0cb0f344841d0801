import { timeParts } from '../operators/time-parts.sql.ts';
import { refuse } from '../refuse.ts';
import type { CallSyntax, OperandSyntax } from '../syntax/syntax-tree.ts';
import { typeOf } from './fit.ts';
import { instantText } from './instant-text.ts';
import { isEach, type Operand, type StrftimeOperand, type TimeShift } from './typed-tree.ts';

/** `strftime(format, time, ...shifts)`: a time as text, in UTC. */
export function resolveStrftime(syntax: CallSyntax, resolve: (given: OperandSyntax) => Operand): StrftimeOperand {
  const [format, time, ...shifts] = syntax.given;
  if (format?.kind !== 'text' || time === undefined)
    return refuse(syntax.position, 'strftime takes a format in quotes, a time, and shifts such as "+1 days"');
  if (shifts.length > shiftsMax) refuse(syntax.position, `strftime takes at most ${shiftsMax} shifts`);
  return { kind: 'strftime', format: pieces(format.text, format.position), of: asTime(resolve(time), time.position), shifts: shifts.map(shiftOf) };
}

const shiftsMax = 8;
/** About 317 years: with all shifts together no time leaves what Postgres can hold. */
const shiftSecondsMax = 10_000_000_000;
const secondsOf: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };
const conversionPattern = /(%[\s\S]?)/;
const addition = /^([+-]?\d{1,9}) (second|minute|hour|day)s?$/;
const startOf = /^start of (day|month|year)$/;

function pieces(format: string, position: number): string[] {
  const found = format.split(conversionPattern).filter((piece) => piece !== '');
  const unknown = found.find((piece) => piece.startsWith('%') && !timeParts.has(piece));
  return unknown === undefined ? found : refuse(position, `strftime has no ${unknown}; it has ${[...timeParts.keys()].join(' ')}`);
}

function asTime(operand: Operand, position: number): Operand {
  if (operand.kind === 'literal') {
    const text = operand.type === 'text' ? instantText(operand.text ?? '') : undefined;
    return text === undefined ? refuse(position, 'strftime takes a time') : { kind: 'literal', type: 'instant', text };
  }
  const isFit = ['instant', 'date', 'any'].includes(typeOf(operand)) && !isEach(operand);
  return isFit ? operand : refuse(position, 'strftime takes a time');
}

function shiftOf(syntax: OperandSyntax): TimeShift {
  const text = syntax.kind === 'text' ? syntax.text.trim() : '';
  const added = addition.exec(text);
  const seconds = added === null ? 0 : Math.abs(Number(added[1])) * (secondsOf[added[2] ?? ''] ?? 0);
  if (seconds > shiftSecondsMax) refuse(syntax.position, 'a shift is at most 317 years');
  if (added !== null) return { kind: 'add', amount: Number(added[1]), unit: `${added[2] as 'day'}s` };
  const start = startOf.exec(text);
  if (start !== null) return { kind: 'startOf', unit: start[1] as 'day' };
  return refuse(syntax.position, 'a shift is "+n seconds", "minutes", "hours" or "days", or "start of day", "month" or "year"');
}
