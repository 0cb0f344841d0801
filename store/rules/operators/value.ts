/** A value as a predicate compares it; null where there is none. Instants are milliseconds since 1970, dates their text. */
export type Value = string | number | boolean | null;

/** Less than, equal to or greater than 0, as `left` stands to `right`; texts in the order of their UTF-8 bytes, as Postgres' collation "C" has them. */
export function order(left: string | number | boolean, right: string | number | boolean): number {
  if (typeof left === 'string' && typeof right === 'string') return orderTexts(left, right);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * The order of UTF-8 bytes is that of code points. That of UTF-16 units, which `<` uses, differs where a surrogate
 * (half of a character above U+FFFF) meets U+E000 to U+FFFF.
 */
function orderTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

/** Surrogates above everything else. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
