import { fail } from '../../proto/errors/svc-error.ts';
import { authOptionsDefault, type AuthOptions } from '../../proto/schema/auth-options.ts';
import type { Schema } from '../collections/catalogue.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import type { AuthDeps } from './deps.ts';

/** The shape of an auth collection; fails where there is none of this name. */
export function accountsOf({ records }: Pick<AuthDeps, 'records'>, schema: Schema, name: string): RecordShape {
  const shape = records.shapes.named(schema, name);
  return shape.hasAccounts
    ? shape
    : fail('bad_request', { values: { reason: `The collection ${shape.collection.name} keeps no accounts; sign in at one of type auth.` } });
}

/** How the accounts of a collection sign in. */
export function optionsOf({ collection }: RecordShape): AuthOptions {
  return collection.auth ?? authOptionsDefault;
}

/** Fails with `method_not_offered` where the collection has switched the method off. */
export function requireMethod(shape: RecordShape, method: 'password' | 'otp' | 'passkeys' | 'oauth2'): void {
  if (!optionsOf(shape)[method].enabled) fail('method_not_offered');
}
