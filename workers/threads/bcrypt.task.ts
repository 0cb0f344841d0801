import bcrypt from 'bcrypt';

/** The salted hash of a password. Runs in a thread of its own, so the synchronous calls block nobody. */
export function hash({ password, cost }: HashTask): string {
  return bcrypt.hashSync(password, cost);
}

/** Whether the password is the one that was hashed; false for a hash that is none. */
export function verify({ password, hash: stored }: VerifyTask): boolean {
  // `$2y$` is PHP's name for what everybody else calls `$2b$`; the library knows the latter alone.
  return bcrypt.compareSync(password, stored.replace(/^\$2y\$/, '$2b$'));
}

export interface HashTask {
  readonly password: string;
  readonly cost: number;
}

export interface VerifyTask {
  readonly password: string;
  readonly hash: string;
}
