import type { AttemptLimit } from '../attempts/attempts.ts';
import type { RecordShape } from '../records/shape/shape.ts';

const hourS = 3_600;

/** How many mails of one kind an address gets: with five guesses at each code, fewer than 1 in 10,000 addresses falls to a day of guessing. */
export function mailLimits(kind: string, shape: RecordShape, email: string): readonly AttemptLimit[] {
  const who = `${shape.collection.id}/${email.toLowerCase()}`;
  return [
    { of: `mail ${kind}`, who, max: 6, windowS: hourS },
    { of: `mail ${kind}`, who, max: 18, windowS: 24 * hourS },
  ];
}

/** How many tokens and codes one client may try. */
export function guessLimits(clientAddress: string): readonly AttemptLimit[] {
  return [{ of: 'token', who: clientAddress, max: 100, windowS: 300 }];
}
