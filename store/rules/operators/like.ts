/**
 * Patterns of `~`: `%` stands for any characters, `_` for one, `\` takes the meaning from what follows; the letters A to Z
 * match their small forms. A pattern is normal when each backslash in it stands before some character; only normal ones are
 * matched, here and in Postgres, which refuses a lonely backslash at the end.
 */
export function likePattern(operand: string): string {
  return hasOwnWildcard(operand) ? normal(operand) : `%${escaped(operand)}%`;
}

/** The pattern for texts that contain `part` as it stands. */
export function containsPattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** Whether a normal pattern matches all of `text`. */
export function matches(text: string, pattern: string): boolean {
  const pieces = piecesOf(lowerAscii(pattern));
  return new Match(lowerAscii(text)).whole(pieces);
}

export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Between two `%`: characters, where null is any one. */
type Piece = readonly (string | null)[];

function hasOwnWildcard(operand: string): boolean {
  for (let at = 0; at < operand.length; at += 1) {
    if (operand.charAt(at) === '%') return true;
    if (operand.charAt(at) === '\\') at += 1;
  }
  return false;
}

function normal(operand: string): string {
  const trailing = /\\*$/.exec(operand)?.[0].length ?? 0;
  return trailing % 2 === 1 ? `${operand}\\` : operand;
}

/** Without wildcards of its own, `\` before `\`, `%` or `_` is the caller's escape already; every other one, and `_`, means itself. */
function escaped(operand: string): string {
  let pattern = '';
  for (let at = 0; at < operand.length; at += 1) {
    const unit = operand.charAt(at);
    if (unit === '_') pattern += '\\_';
    else if (unit !== '\\') pattern += unit;
    else if (/[\\%_]/.test(operand.charAt(at + 1))) pattern += unit + operand.charAt((at += 1));
    else pattern += '\\\\';
  }
  return pattern;
}

/** The pieces of a pattern, cut at each `%`. */
function piecesOf(pattern: string): Piece[] {
  const pieces: (string | null)[][] = [[]];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const last = pieces.at(-1);
    if (character === '%') pieces.push([]);
    else if (character === '_') last?.push(null);
    else last?.push(character === '\\' ? (characters[(at += 1)] ?? '') : character);
  }
  return pieces;
}

/** One text being matched. The first piece must begin it, the last one end it, and each other is taken where it first fits. */
class Match {
  readonly #characters: readonly string[];

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  whole(pieces: readonly Piece[]): boolean {
    const [first = [], ...rest] = pieces;
    const last = rest.pop();
    const end = this.#characters.length;
    if (last === undefined) return first.length === end && this.#fits(first, 0);
    if (!this.#fits(first, 0) || first.length + last.length > end || !this.#fits(last, end - last.length)) return false;
    let at = first.length;
    for (const piece of rest) {
      at = this.#find(piece, at, end - last.length);
      if (at < 0) return false;
    }
    return true;
  }

  #fits(piece: Piece, at: number): boolean {
    return (
      at + piece.length <= this.#characters.length &&
      piece.every((character, index) => character === null || character === this.#characters[at + index])
    );
  }

  /**
   * The end of the first place in [from, end) where the piece fits, else -1. All beginnings that still fit are carried as bits
   * (Baeza-Yates and Gonnet's shift-and), so that each character costs one step per 32 of the piece, whatever the texts are.
   */
  #find(piece: Piece, from: number, end: number): number {
    if (piece.length === 0) return from;
    const masks = masksOf(piece);
    const state = new Uint32Array(Math.ceil(piece.length / 32));
    const lastBit = 1 << ((piece.length - 1) % 32);
    for (let at = from; at < end; at += 1) {
      advance(state, masks.get(this.#characters[at] ?? '') ?? masks.get(null));
      if (((state.at(-1) ?? 0) & lastBit) !== 0) return at + 1;
    }
    return -1;
  }
}

/** For each character, the places of the piece where it may stand; under null those where any may. */
function masksOf(piece: Piece): ReadonlyMap<string | null, Uint32Array> {
  const anywhere = new Uint32Array(Math.ceil(piece.length / 32));
  const masks = new Map<string | null, Uint32Array>([[null, anywhere]]);
  piece.forEach((character, index) => {
    if (character === null) setBit(anywhere, index);
  });
  piece.forEach((character, index) => {
    const mask = masks.get(character) ?? anywhere.slice();
    setBit(mask, index);
    masks.set(character, mask);
  });
  return masks;
}

function setBit(mask: Uint32Array, index: number): void {
  mask.set([(mask[index >>> 5] ?? 0) | (1 << (index & 31))], index >>> 5);
}

function advance(state: Uint32Array, mask: Uint32Array | undefined): void {
  let carried = 1;
  for (let word = 0; word < state.length; word += 1) {
    const bits = state[word] ?? 0;
    state[word] = ((bits << 1) | carried) & (mask?.[word] ?? 0);
    carried = bits >>> 31;
  }
}
