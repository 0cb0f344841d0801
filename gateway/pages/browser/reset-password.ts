import { ask, complaintOf, element, form, passwordFields, show, takeParameters, tell } from './page.ts';

const parameters = takeParameters();
const collection = encodeURIComponent(parameters.get('svc') ?? '');
const token = parameters.get('token') ?? '';

show(
  element('h1', {}, 'Choose a new password'),
  form({
    fields: passwordFields,
    action: 'Save the password',
    submit: async ({ password, passwordConfirm }) => {
      const answer = await ask('POST', `/api/svc/${collection}/confirm-password-reset`, { token, password, passwordConfirm });
      if (answer.status !== 204) return complaintOf(answer);
      tell('The password is changed', 'Sign in with it where you were. You have been signed out everywhere else.');
      return undefined;
    },
  }),
);
