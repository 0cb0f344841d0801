import { httpClient, type HttpAnswer } from './http.ts';

/** Sends what a curl command line says, as far as our documents use curl; an option it does not know is an error. */
export function curl(words: readonly string[]): Promise<HttpAnswer> {
  const [name, ...rest] = words;
  if (name !== 'curl') throw new Error(`not a curl command: ${words.join(' ')}`);
  const headers: Record<string, string> = {};
  const request = { method: 'GET', url: '', body: undefined as string | undefined, query: [] as string[] };
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '-s' || word === '-G') continue;
    if (!word.startsWith('-')) request.url = word;
    else {
      at += 1;
      readOption(word, rest[at] ?? '', { headers, request });
    }
  }
  const { origin, pathname, search } = new URL(request.url);
  const query = [...(search === '' ? [] : [search.slice(1)]), ...request.query].join('&');
  return httpClient(origin).send(request.method, `${pathname}${query === '' ? '' : `?${query}`}`, { headers, body: request.body });
}

interface Reading {
  readonly headers: Record<string, string>;
  readonly request: { method: string; body: string | undefined; readonly query: string[] };
}

function readOption(option: string, value: string, { headers, request }: Reading): void {
  if (option === '-X') request.method = value;
  else if (option === '-d') request.body = value;
  else if (option === '--data-urlencode') request.query.push(encodedPair(value));
  else if (option === '-H') {
    const [name = '', ...text] = value.split(':');
    headers[name] = text.join(':').trim();
  } else throw new Error(`curl ${option} is not known here`);
}

/** `name=content`, the content encoded; with -G it goes to the address. */
function encodedPair(text: string): string {
  const at = text.indexOf('=');
  return `${text.slice(0, at)}=${encodeURIComponent(text.slice(at + 1))}`;
}
