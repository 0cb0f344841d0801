import type { Claims } from './answer.ts';
import type { ProfileFacts } from './profile.ts';

/** The claims that OpenID Connect Core section 5.1 names. */
export function standardFacts(claims: Claims): Omit<ProfileFacts, 'subject'> {
  return {
    email: claims['email'],
    isEmailVerified: isTrue(claims['email_verified']),
    name: claims['name'],
    username: claims['preferred_username'] ?? claims['nickname'],
    avatarUrl: claims['picture'],
  };
}

/** A boolean by the standard; Apple, and some who copied it, write it as text. */
export function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}
