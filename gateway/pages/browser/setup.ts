import { ask, complaintOf, element, form, passwordFields, show, takeParameters, tell } from './page.ts';

const token = takeParameters().get('token') ?? '';

show(
  element('h1', {}, 'The first root user'),
  element('p', {}, 'Root users may do everything here. This link makes the first one.'),
  form({
    fields: [{ name: 'email', label: 'E-mail address', attributes: { type: 'email', autocomplete: 'username' } }, ...passwordFields],
    action: 'Create',
    submit: async (account) => {
      const answer = await ask('POST', '/api/setup', { ...account, token });
      if (answer.status !== 200) return complaintOf(answer);
      tell('It is done', 'Sign in as root with this address and password.');
      return undefined;
    },
  }),
);
