import { fault, type Fault } from '../../proto/errors/svc-error.ts';

/** Who makes and compares hashes. */
export interface Hashing {
  /** The cost of new hashes, as a power of two. */
  cost(): Promise<number>;
  hash(password: string, requestId: string): Promise<string>;
  verify(password: string, hash: string, requestId: string): Promise<boolean>;
}

const charactersMin = 8;
/** bcrypt reads no further: a longer password would be as good as its beginning. */
const bytesMax = 72;

/** What is wrong with a new password; undefined where nothing is. */
export function passwordFault(password: unknown): Fault | undefined {
  if (typeof password !== 'string') return fault('invalid_type', { expected: 'text' });
  if (Array.from(password).length < charactersMin) return fault('too_short', { min: charactersMin });
  return overlongFault(password);
}

/** What is wrong with a password that is to be compared: only one that no account can have. */
export function overlongFault(password: string): Fault | undefined {
  return Buffer.byteLength(password) > bytesMax ? fault('too_many_bytes', { max: bytesMax }) : undefined;
}

/** Whether the password is that of the hash. Where there is no hash the same work is done in vain, so that time tells nothing. */
export async function isPassword(
  hashing: Hashing,
  input: { readonly password: string; readonly hash: string | null; readonly requestId: string },
): Promise<boolean> {
  const matches = await hashing.verify(input.password, input.hash ?? decoyOf(await hashing.cost()), input.requestId);
  return matches && input.hash !== null;
}

/** The cost that a hash was made with. */
export function costOf(hash: string): number {
  return Number(/^\$2[aby]\$(\d\d)\$/.exec(hash)?.[1] ?? 0);
}

/** The hash of a password that nobody knows. */
function decoyOf(cost: number): string {
  return `$2b$${cost}$${decoy}`;
}

const decoy = 'PfWPWRE6JS3btG9.mjAo5ujR1FjZwkT65eZwd2dDF9SUbhx2g8IqO';
