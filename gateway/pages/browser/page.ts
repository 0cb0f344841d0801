/** The page's address, taken from the bar: a token in it shall stand in no history, and go to nobody as referrer. */
export function takeParameters(): URLSearchParams {
  const { pathname, search } = window.location;
  window.history.replaceState(null, '', pathname);
  return new URLSearchParams(search);
}

export type Json = Readonly<Record<string, unknown>>;

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Asks the API of this origin. */
export async function ask(method: 'GET' | 'POST', path: string, body?: Json, token?: string): Promise<Answer> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
  const answer = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

/** What an answer says went wrong, in sentences. */
export function complaintOf({ body }: Answer): string {
  const data = Object.values((body['data'] ?? {}) as Readonly<Record<string, { readonly message?: string }>>);
  const faults = data.map(({ message }) => message ?? '').filter((message) => message !== '');
  if (faults.length > 0) return faults.join(' ');
  return typeof body['message'] === 'string' ? body['message'] : 'Something went wrong; try again.';
}

type Child = Node | string;

/** An element with attributes and children; text is never taken for HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Puts these in the place of what the page shows; the first field gets the focus. */
export function show(...children: readonly Child[]): void {
  const main = document.querySelector('main');
  main?.replaceChildren(...children);
  main?.querySelector<HTMLElement>('input, button')?.focus();
}

/** Tells something that has come to its end. */
export function tell(title: string, text: string): void {
  show(element('h1', {}, title), element('p', { role: 'status' }, text));
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export const passwordFields: readonly Field[] = [
  { name: 'password', label: 'New password', attributes: { type: 'password', autocomplete: 'new-password', minlength: '8' } },
  { name: 'passwordConfirm', label: 'The same again', attributes: { type: 'password', autocomplete: 'new-password', minlength: '8' } },
];

export interface Form {
  readonly fields: readonly Field[];
  readonly action: string;
  /** Resolves to what went wrong, or to nothing once it has shown something else. */
  readonly submit: (values: Readonly<Record<string, string>>) => Promise<string | undefined>;
}

/** A form whose faults stand under it; while it is sent it cannot be sent again. */
export function form({ fields, action, submit }: Form): HTMLFormElement {
  const complaint = element('p', { role: 'alert' });
  const button = element('button', { type: 'submit' }, action);
  const inputs = fields.map(({ name, label, attributes }) => element('label', {}, label, element('input', { name, required: '', ...attributes })));
  const made = element('form', {}, ...inputs, button, complaint);
  const send = async (): Promise<void> => {
    button.disabled = true;
    complaint.textContent = '';
    const values = Object.fromEntries([...new FormData(made)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
    try {
      complaint.textContent = (await submit(values)) ?? '';
    } catch {
      complaint.textContent = 'The service could not be reached; try again.';
    } finally {
      button.disabled = false;
    }
  };
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  return made;
}

/** A button that does something and tells what went wrong below it. */
export function actionForm(action: string, work: () => Promise<string | undefined>): HTMLFormElement {
  return form({ fields: [], action, submit: work });
}
