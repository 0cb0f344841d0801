import { actionForm, ask, complaintOf, element, show, takeParameters, tell } from './page.ts';

const parameters = takeParameters();
const collection = encodeURIComponent(parameters.get('svc') ?? '');
const token = parameters.get('token') ?? '';

show(
  element('h1', {}, 'Confirm your new e-mail address'),
  actionForm('Confirm', async () => {
    const answer = await ask('POST', `/api/svc/${collection}/confirm-email-change`, { token });
    if (answer.status !== 204) return complaintOf(answer);
    tell('The address is changed', 'Sign in again with the new one.');
    return undefined;
  }),
);
