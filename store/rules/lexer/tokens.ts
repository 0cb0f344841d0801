import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';
import type { Piece, Token } from './token.ts';

/** Cuts a text into tokens, in one walk; comments and white space fall away. The last one is the end. */
export function tokens(text: string): readonly [Token, ...Token[]] {
  requireProper(text);
  const found: Token[] = [];
  let at = skipBlank(text, 0);
  let position = 1 + countCharacters(text.slice(0, at));
  while (at < text.length) {
    const { token, end } = read(text, at, position);
    found.push({ ...token, from: at, to: end });
    const next = skipBlank(text, end);
    position += countCharacters(text.slice(at, next));
    at = next;
  }
  const last = { kind: 'end', position, from: at, to: at } as const;
  const [first, ...rest] = [...found, last];
  return first === undefined ? [last] : [first, ...rest];
}

interface Reading {
  readonly token: Piece;
  /** The index behind the token. */
  readonly end: number;
}

// The longest mark that fits wins, so longer ones stand first.
const marks = ['?!=', '?!~', '?>=', '?<=', '?=', '?~', '?>', '?<', '!=', '!~', '>=', '<=', '&&', '||', '=', '~', '>', '<', '(', ')', ','];
const numberPattern = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/;
const pathPattern = /^@?[A-Za-z_][A-Za-z0-9_]*(?:[.:][A-Za-z0-9_]+)*/;
const wordContinues = /[A-Za-z0-9_.@:]/;
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function requireProper(text: string): void {
  if (text.length > limits.characters * 2 || countCharacters(text) > limits.characters) {
    refuse(limits.characters + 1, `an expression has at most ${limits.characters} characters`);
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) refuse(1 + countCharacters(text.slice(0, nul)), 'the character NUL cannot be stored, so nothing matches it');
  if (!text.isWellFormed()) refuse(1, 'the text is not valid Unicode');
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at += 1;
    if (!text.startsWith('//', at)) return at;
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end + 1;
  }
}

/** Space, tab, line feed, carriage return. */
function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

function read(text: string, at: number, position: number): Reading {
  const first = text.charAt(at);
  if (first === '"' || first === "'") return readText(text, at, position);
  const number = matchAt(numberPattern, text, at);
  if (number !== undefined) return readNumber(text, { at, digits: number, position });
  const path = matchAt(pathPattern, text, at);
  if (path !== undefined) return { token: { kind: 'path', text: path, position }, end: at + path.length };
  const mark = marks.find((each) => text.startsWith(each, at));
  if (mark !== undefined) return { token: { kind: 'mark', text: mark, position }, end: at + mark.length };
  return refuse(position, `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} does not belong here`);
}

function readText(text: string, at: number, position: number): Reading {
  const quote = text.charAt(at);
  let content = '';
  for (let index = at + 1; index < text.length; index += 1) {
    const unit = text.charAt(index);
    if (unit === quote) return { token: { kind: 'text', text: content, position }, end: index + 1 };
    if (unit !== '\\' || index + 1 === text.length) {
      content += unit;
      continue;
    }
    index += 1;
    // What is no escape here keeps its backslash: `\%` means something to the operator ~.
    content += escapes.get(text.charAt(index)) ?? `\\${text.charAt(index)}`;
  }
  return refuse(position, `the text that begins here has no closing ${quote}`);
}

function readNumber(text: string, found: { readonly at: number; readonly digits: string; readonly position: number }): Reading {
  const end = found.at + found.digits.length;
  if (wordContinues.test(text.charAt(end))) refuse(found.position, 'a name does not begin with a digit, and a text needs quotes');
  const value = Number(found.digits);
  if (!Number.isFinite(value)) refuse(found.position, 'the number is too large');
  return { token: { kind: 'number', value, position: found.position }, end };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  return pattern.exec(text.slice(at))?.[0];
}
