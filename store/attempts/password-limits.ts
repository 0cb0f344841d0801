import type { AttemptLimit } from './attempts.ts';

/** How often passwords may be guessed: of one account by one client, of one account by anybody, and by one client anywhere. */
export function passwordLimits(collectionId: string, who: string, clientAddress: string): readonly AttemptLimit[] {
  const account = `${collectionId}/${who.toLowerCase()}`;
  return [
    { of: 'password of account by client', who: `${account}/${clientAddress}`, max: 10, windowS: 300 },
    { of: 'password of account', who: account, max: 100, windowS: 3_600 },
    { of: 'password by client', who: clientAddress, max: 100, windowS: 300 },
  ];
}

/** How often somebody who has an account's token may guess its password. */
export function presentPasswordLimits(collectionId: string, id: string): readonly AttemptLimit[] {
  return [{ of: 'present password', who: `${collectionId}/${id}`, max: 10, windowS: 300 }];
}
