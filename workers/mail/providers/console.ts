import type { OwnWayProvider } from '../provider.ts';

/** Sends nothing: the mail stands in the log, with the links and codes in it. For development. */
export const consoleProvider: OwnWayProvider = {
  kind: 'own way',
  needs: [],
  send: ({ log }, { to, from, subject, text, html, id }) => {
    log.info({ mail: { id, to, from: from.address, subject, text: text === '' ? html : text } }, 'mail written here instead of being sent');
    return Promise.resolve({ providerId: '' });
  },
};
