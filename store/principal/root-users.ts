import { authOptionsDefault, type AuthOptions } from '../../proto/schema/auth-options.ts';

/** A mailbox alone opens no root user. */
const auth: AuthOptions = { ...authOptionsDefault, otp: { enabled: false }, oauth2: { enabled: false, providers: [], redirectUrls: [] } };

/** The system collection of root users: an auth collection whose accounts may do all that the admin key may. */
export const rootUsers = { id: 'rootusers000', name: '_rootUsers', type: 'auth', auth } as const;
