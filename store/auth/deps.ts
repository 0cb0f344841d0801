import type { OAuthClient } from '../clients/oauth.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { RecordDeps } from '../records/deps.ts';
import type { Seal } from '../sealing/seal.ts';
import type { Settings } from '../settings/settings.ts';
import type { SigningKeys } from './keys/signing-keys.ts';
import type { Tokens } from './keys/tokens.ts';
import type { CodeDigest } from './otp/otp-code.ts';
import type { Proofs } from '../proofs/proofs.ts';

/** What accounts and sessions stand on. */
export interface AuthDeps {
  readonly records: RecordDeps;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly proofs: Proofs;
  readonly codes: CodeDigest;
  readonly mailer: Mailer;
  readonly settings: Settings;
  readonly oauth: OAuthClient;
  readonly seal: Seal;
}
