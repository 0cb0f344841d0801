import { fail } from '../../proto/errors/svc-error.ts';

const aliases: Readonly<Record<string, string>> = { created: 'created_at', createdAt: 'created_at', updated: 'updated_at', updatedAt: 'updated_at' };

/** The parameters of a query string, decoded; each stands once. Fails with `bad_query` naming the parameter. */
export function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (query === '') return parameters;
  for (const part of query.split('&')) {
    const cut = part.indexOf('=');
    const name = decode(cut === -1 ? part : part.slice(0, cut), part);
    const value = cut === -1 ? '' : decode(part.slice(cut + 1), name);
    if (parameters.has(name)) refuseParameter(name, 'it is given twice');
    if (name !== '') parameters.set(name, value);
  }
  return parameters;
}

/** The names of a comma list. */
export function namesOf(text: string): readonly string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

/** Clients of this API family know the system fields by other names too. */
export function unaliased(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

export function refuseParameter(parameter: string, reason: string): never {
  return fail('bad_query', { values: { parameter, reason } });
}

function decode(text: string, parameter: string): string {
  const decoded = text.includes('%') || text.includes('+') ? percentDecoded(text, parameter) : text;
  if (decoded.includes('\0')) refuseParameter(parameter, 'it holds a NUL character');
  return decoded;
}

function percentDecoded(text: string, parameter: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuseParameter(parameter, 'its percent-encoding is broken');
  }
}
