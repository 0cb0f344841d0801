/** The system collection of root users: an auth collection whose accounts may do all that the admin key may. */
export const rootUsers = { id: 'rootusers000', name: '_rootUsers', type: 'auth' } as const;
