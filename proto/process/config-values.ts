import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

// The kinds of value that an environment variable can hold. Each says in its description what the value should be;
// the message for a wrong variable is made from it.

/** A TCP port; 0 lets the system choose one. */
export const port = (fallback?: number) =>
  described(fallback, 'a port number from 0 to 65535', digits.transform(Number).pipe(z.number().max(65_535)));

/** A whole number within bounds. */
export const count = (fallback?: number, bounds: Bounds = {}) => {
  const min = bounds.min ?? 0;
  const max = bounds.max ?? Number.MAX_SAFE_INTEGER;
  const range = bounds.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return described(fallback, `a whole number ${range}`, digits.transform(Number).pipe(z.number().min(min).max(max)));
};

/** A length of time such as `500ms`, `30s`, `15m`, `24h` or `7d`, in milliseconds. */
export const duration = (fallback?: number, bounds: Bounds = {}) => {
  const min = bounds.min ?? 0;
  const max = bounds.max ?? 365 * 24 * 3_600_000;
  const shape = z
    .string()
    .regex(/^\d{1,12}(ms|s|m|h|d)$/)
    .transform(milliseconds)
    .pipe(z.number().min(min).max(max));
  return described(fallback, `a duration such as 500ms, 30s, 15m, 24h or 7d (${min} to ${max} ms)`, shape);
};

/** A number of bytes such as `4096`, `512KiB` or `5MiB`. */
export const byteCount = (fallback?: number, bounds: Bounds = {}) => {
  const min = bounds.min ?? 1;
  const max = bounds.max ?? 2 ** 40;
  const shape = z
    .string()
    .regex(/^\d{1,15}(KiB|MiB|GiB)?$/)
    .transform(bytes)
    .pipe(z.number().min(min).max(max));
  return described(fallback, `a number of bytes such as 4096, 512KiB or 5MiB (${min} to ${max})`, shape);
};

/** `true`/`false`, `on`/`off`, `1`/`0`, `yes`/`no`. */
export const boolean = (fallback?: boolean) =>
  described(
    fallback,
    'true or false',
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(['true', 'false', 'on', 'off', '1', '0', 'yes', 'no']))
      .transform((word) => ['true', 'on', '1', 'yes'].includes(word)),
  );

/** A list with commas; blanks around the items and empty items do not count. */
export const list = (fallback?: readonly string[]) => described(fallback, 'a list separated by commas', z.string().transform(items));

/** A list of address ranges such as `10.0.0.0/8, ::1`; the answer tells whether an address lies in one. */
export const cidrList = () => {
  const ranges = z.string().transform((value, context) => {
    const block = new BlockList();
    for (const item of items(value)) if (!addRange(block, item)) context.addIssue({ code: 'custom', message: `${item} is no address range` });
    return block;
  });
  return described(new BlockList(), 'a list of address ranges such as 10.0.0.0/8, ::1', ranges);
};

/** A key or password: at least `minLength` characters, and not a value that everybody knows. */
export const secret = (minLength: number) =>
  z
    .string()
    .min(minLength)
    .refine((value) => !wellKnown.test(value) && new Set(value).size >= 8)
    .describe(`a secret of at least ${minLength} characters that is not a known default, for instance from: openssl rand -hex 32`);

/** Any text, with a description for the message when it is missing or wrong. */
export const text = (description: string, pattern = /^[^\0]+$/s) => z.string().regex(pattern).describe(description);

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const digits = z.string().regex(/^\d{1,15}$/);
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const unitBytes: Readonly<Record<string, number>> = { '': 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 };
const wellKnown = /^((change-?me|change-?this|change-?it|secret|password|admin|example|default|your-\w{1,20}-key)[\W\d_]*)+$/i;

/** The schema with its description, and its default when there is one (a default makes the variable optional). */
function described<Value>(fallback: Value | undefined, description: string, schema: z.ZodType<Value>): z.ZodType<Value> {
  if (fallback === undefined) return schema.describe(description);
  // `prefault` would parse the fallback as text; `default` takes it as the value it is.
  return schema.default(fallback as never).describe(description);
}

function milliseconds(value: string): number {
  const amount = Number.parseInt(value, 10);
  return amount * (unitMs[value.replace(/^\d+/, '')] ?? Number.NaN);
}

function bytes(value: string): number {
  const amount = Number.parseInt(value, 10);
  return amount * (unitBytes[value.replace(/^\d+/, '')] ?? Number.NaN);
}

function items(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function addRange(block: BlockList, item: string): boolean {
  const [address = '', bits] = item.split('/');
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const most = family === 6 ? 128 : 32;
  if (bits === undefined) {
    block.addAddress(address, type);
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return false;
  block.addSubnet(address, Number(bits), type);
  return true;
}
