import { fault, type Fault } from '../../../proto/errors/svc-error.ts';
import { passwordFault } from '../../credentials/passwords.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import type { RecordShape } from '../shape/shape.ts';
import type { RecordBody } from '../shape/validate.ts';
import type { WriteRequest } from '../write-request.ts';

/** What the body of a write says of an account beside its fields (CONTRACT section 3). */
export interface AccountBody {
  /** The new password; undefined where none is given. */
  readonly password: string | undefined;
  /** What must not stand there, or is missing. */
  readonly faults: Readonly<Record<string, Fault>>;
}

type Members = RecordBody['members'];

/** Whoever signs up gives a password twice and a name by which to be found. */
export function readSignUp(
  shape: RecordShape,
  { principal, signUp }: Pick<WriteRequest, 'principal' | 'signUp'>,
  { members }: RecordBody,
): AccountBody {
  if (!shape.hasAccounts) return nothing;
  const isNameless = isBlank(members['username']) && isBlank(members['email']);
  const nameless = isNameless ? { email: fault('required') } : {};
  return {
    password: passwordOf(members),
    faults: {
      ...verifiedFault(principal, members),
      ...passwordFaults(principal, members, signUp === undefined ? 'needed' : 'optional'),
      ...nameless,
    },
  };
}

/** Whoever changes an account may give another password; whether he may, his present one says later. */
export function readAccountChange(shape: RecordShape, principal: Principal, { members }: RecordBody): AccountBody {
  if (!shape.hasAccounts) return nothing;
  return { password: passwordOf(members), faults: { ...verifiedFault(principal, members), ...passwordFaults(principal, members, 'optional') } };
}

const nothing: AccountBody = { password: undefined, faults: {} };

/** Whoever could verify himself could take the place of an address' owner. */
function verifiedFault(principal: Principal, members: Members): Record<string, Fault> {
  if (isPrivileged(principal) || !Object.hasOwn(members, 'verified')) return {};
  return { verified: fault('not_changeable', { reason: 'An address is verified by confirming it, or by an administrator.' }) };
}

function passwordFaults(principal: Principal, members: Members, need: 'needed' | 'optional'): Record<string, Fault> {
  const { password, passwordConfirm } = members;
  const isConfirmed = isPrivileged(principal) && passwordConfirm === undefined;
  if (password === undefined) return need === 'needed' && !isPrivileged(principal) ? { password: fault('required') } : {};
  const faults: Record<string, Fault> = {};
  const weak = passwordFault(password);
  if (weak !== undefined) faults['password'] = weak;
  if (!isConfirmed && passwordConfirm === undefined) faults['passwordConfirm'] = fault('required');
  else if (!isConfirmed && passwordConfirm !== password) faults['passwordConfirm'] = fault('not_confirmed');
  return faults;
}

function passwordOf({ password }: Members): string | undefined {
  return typeof password === 'string' ? password : undefined;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
