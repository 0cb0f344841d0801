import { fail } from '../errors/svc-error.ts';

/** The deepest nesting of arrays and objects that a body may have (CONTRACT section 1). */
const nestingMax = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** A parsed body beside the text it came from. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

/** Parses a body; fails with `malformed_json` where it is not JSON, not UTF-8, nested too deep, or holds NUL or half a surrogate pair in a string. */
export function parseJson(bytes: Uint8Array): JsonBody {
  const text = decode(bytes);
  requireShallow(text);
  const value = parse(text);
  if (text.includes('\\u0000') || surrogateEscape.test(text)) requireCleanText(value);
  return { text, value };
}

/** The raw, compacted JSON text of each member of the object `text`, which has been parsed before; the last of two equal keys wins. */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    at = skipSpace(text, at);
    const sign = text.charCodeAt(at);
    if (sign === closeBrace || Number.isNaN(sign)) return members;
    if (sign === comma) {
      at += 1;
      continue;
    }
    const keyEnd = stringEnd(text, at);
    const key = keyText(text, at, keyEnd);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    at = valueEnd(text, start);
    members.set(key, compact(text.slice(start, at)));
  }
}

/** The raw, compacted JSON text of each element of the array `text`, which has been parsed before. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    at = skipSpace(text, at);
    const sign = text.charCodeAt(at);
    if (sign === closeBracket || Number.isNaN(sign)) return elements;
    if (sign === comma) {
      at += 1;
      continue;
    }
    const end = valueEnd(text, at);
    elements.push(compact(text.slice(at, end)));
    at = end;
  }
}

/** `text` without the white space that stands outside strings. */
export function compact(text: string): string {
  if (!/[ \t\r\n]/.test(text)) return text;
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = stringEnd(text, at) - 1;
    else if (isSpace(sign)) {
      out += text.slice(from, at);
      from = at + 1;
    }
  }
  return out + text.slice(from);
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    return fail('malformed_json', { values: { reason: 'it is not UTF-8' } }, cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const position = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    const reason = position === undefined ? 'it ends too early' : `look at position ${position}`;
    return fail('malformed_json', { values: { reason } }, cause);
  }
}

/** JSON.parse recurses; a cheap scan first keeps the depth bounded whatever was sent. */
function requireShallow(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = stringEnd(text, at) - 1;
    else if (sign === openBrace || sign === openBracket) {
      depth += 1;
      if (depth > nestingMax) fail('malformed_json', { values: { reason: `it is nested deeper than ${nestingMax} levels` } });
    } else if (sign === closeBrace || sign === closeBracket) depth -= 1;
  }
}

function requireCleanText(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) fail('malformed_json', { values: { reason: 'text must not hold the NUL character' } });
    if (!value.isWellFormed()) fail('malformed_json', { values: { reason: 'text holds half of a surrogate pair' } });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    requireCleanText(key);
    requireCleanText(member);
  }
}

function keyText(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

/** The position behind the string that starts at `start`; the text's end where it is not closed. */
function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}

function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) {
      at = stringEnd(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (sign === openBrace || sign === openBracket) depth += 1;
    else if (sign === closeBrace || sign === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (sign === comma || isSpace(sign))) return at;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(sign: number): boolean {
  return sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09;
}
