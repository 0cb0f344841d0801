/** Above it, a number in json is no number for comparisons; the negative power of it is where 0 begins. Postgres refuses to read some that lie beyond. */
const jsonNumberMax = 1e300;
const jsonNumberMin = 1e-300;

/** A number as Postgres prints a double precision: shortest digits, an exponent of two digits or more below 1e-4 and from 1e15 on. */
export function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (value === 0) return '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 15) return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return exponent < 0 ? plainFraction(mantissa, exponent) : String(value);
}

/** A number that stands in json, as both meanings of the language take it. */
export function jsonNumber(value: number): number | null {
  if (Math.abs(value) >= jsonNumberMax) return null;
  // A number too small for a double has become 0 when it is read, and kept its sign.
  const zero = value < 0 || Object.is(value, -0) ? -0 : 0;
  return Math.abs(value) < jsonNumberMin ? zero : value;
}

function plainFraction(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(-exponent - 1)}${mantissa.replaceAll(/[-.]/g, '')}`;
}
