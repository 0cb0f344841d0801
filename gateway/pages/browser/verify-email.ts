import { actionForm, ask, complaintOf, element, show, takeParameters, tell } from './page.ts';

const parameters = takeParameters();
const collection = encodeURIComponent(parameters.get('svc') ?? '');
const token = parameters.get('token') ?? '';

// A button, because programs that look through mail open links, too.
show(
  element('h1', {}, 'Confirm your e-mail address'),
  actionForm('Confirm', async () => {
    const answer = await ask('POST', `/api/svc/${collection}/confirm-verification`, { token });
    if (answer.status !== 204) return complaintOf(answer);
    tell('The address is confirmed', 'You can close this page.');
    return undefined;
  }),
);
