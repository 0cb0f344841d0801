import { actionForm, ask, complaintOf, element, form, show, takeParameters, tell, type Answer, type Field } from './page.ts';
import { passkeyToken } from './passkey.ts';

interface Waiting {
  readonly auth_svc: string;
  readonly client_id: string;
  readonly scope: string;
  readonly address: string;
  readonly user_agent: string;
  readonly methods: { readonly password: boolean; readonly otp: boolean; readonly passkeys: boolean };
}

const emailField: Field = { name: 'email', label: 'E-mail address', attributes: { type: 'email', autocomplete: 'username' } };

askForCode(takeParameters().get('code') ?? '');

/** The code may stand in the address; whoever opened it compares it with what the device shows. */
function askForCode(code: string): void {
  const attributes = {
    value: code,
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: '9',
    placeholder: 'XXXX-XXXX',
  };
  show(
    element('h1', {}, 'Let a device in'),
    element('p', {}, 'Type the code that the device shows, or check that this is it.'),
    form({
      fields: [{ name: 'code', label: 'Code', attributes }],
      action: 'Continue',
      submit: async (values) => {
        const typed = values['code'] ?? '';
        const answer = await ask('GET', `/api/oauth2/device?code=${encodeURIComponent(typed)}`);
        if (answer.status !== 200) return complaintOf(answer);
        signIn(typed, answer.body as unknown as Waiting);
        return undefined;
      },
    }),
  );
}

function signIn(code: string, waiting: Waiting): void {
  const { methods, auth_svc: collection } = waiting;
  const path = `/api/svc/${encodeURIComponent(collection)}`;
  show(
    element('h1', {}, 'Sign in'),
    element('p', {}, `With your account of ${collection}, to let the device in.`),
    ...(methods.password ? [passwordForm(path, (answer) => enter(answer, code, waiting))] : []),
    ...(methods.otp ? [otpForm(path, (answer) => enter(answer, code, waiting))] : []),
    ...(methods.passkeys ? [passkeyForm(code, waiting)] : []),
  );
}

type Enter = (answer: Answer) => string | undefined;

function enter(answer: Answer, code: string, waiting: Waiting): string | undefined {
  if (answer.status !== 200) return complaintOf(answer);
  decide(code, waiting, String(answer.body['token']));
  return undefined;
}

function passwordForm(path: string, entered: Enter): HTMLFormElement {
  const fields: readonly Field[] = [
    { name: 'identity', label: 'Username or e-mail address', attributes: { autocomplete: 'username' } },
    { name: 'password', label: 'Password', attributes: { type: 'password', autocomplete: 'current-password' } },
  ];
  return form({ fields, action: 'Sign in', submit: async (values) => entered(await ask('POST', `${path}/auth-with-password`, values)) });
}

function otpForm(path: string, entered: Enter): HTMLFormElement {
  return form({
    fields: [emailField],
    action: 'Send me a code',
    submit: async ({ email }) => {
      const asked = await ask('POST', `${path}/otp/request`, { email });
      if (asked.status !== 200) return complaintOf(asked);
      const field: Field = { name: 'otp', label: 'Code from the mail', attributes: { inputmode: 'numeric', autocomplete: 'one-time-code' } };
      show(
        element('h1', {}, 'Look at your mail'),
        form({ fields: [field], action: 'Sign in', submit: async ({ otp }) => entered(await ask('POST', `${path}/auth-with-otp`, { email, otp })) }),
      );
      return undefined;
    },
  });
}

function passkeyForm(code: string, waiting: Waiting): HTMLFormElement {
  return actionForm('Sign in with a passkey', async () => {
    const result = await passkeyToken(waiting.auth_svc);
    if ('complaint' in result) return result.complaint;
    decide(code, waiting, result.token);
    return undefined;
  });
}

/** The session was begun for this alone, and ends with it. */
function decide(code: string, waiting: Waiting, token: string): void {
  const decided = async (approve: boolean): Promise<string | undefined> => {
    const answer = await ask('POST', '/api/oauth2/device/decide', { code, approve }, token);
    if (answer.status !== 204) return complaintOf(answer);
    await ask('POST', `/api/svc/${encodeURIComponent(waiting.auth_svc)}/logout`, undefined, token);
    if (approve) tell('The device is let in', 'It goes on by itself in a moment; you can close this page.');
    else tell('The device was turned away', 'You can close this page.');
    return undefined;
  };
  const rows = [
    ['Device', waiting.client_id],
    ['Asks for', waiting.scope],
    ['Program', waiting.user_agent],
    ['Address', waiting.address],
    ['Code', code],
  ].filter(([, value]) => value !== '');
  show(
    element('h1', {}, 'Let this device in?'),
    element('dl', {}, ...rows.flatMap(([name = '', value = '']) => [element('dt', {}, name), element('dd', {}, value)])),
    element('p', {}, 'It will be signed in as you. Approve only what you have just begun yourself.'),
    actionForm('Approve', () => decided(true)),
    actionForm('Deny', () => decided(false)),
  );
}
