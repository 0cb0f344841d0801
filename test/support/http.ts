/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when there is none. Throws when it is not JSON. */
  json<Body = Readonly<Record<string, unknown>>>(): Body;
}

export interface HttpRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
}

/** A client of one node: every request carries the admin key unless `guest` is asked for. */
export interface HttpClient {
  get(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  head(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  post(path: string, body?: unknown, request?: HttpRequest): Promise<HttpAnswer>;
  put(path: string, body?: unknown, request?: HttpRequest): Promise<HttpAnswer>;
  patch(path: string, body?: unknown, request?: HttpRequest): Promise<HttpAnswer>;
  delete(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  send(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer>;
}

/** A client of the node at `baseUrl`; `adminKey` absent makes it a guest's. */
export function httpClient(baseUrl: string, adminKey?: string): HttpClient {
  const credentials: Readonly<Record<string, string>> = adminKey === undefined ? {} : { 'X-Admin-Key': adminKey };
  const send: HttpClient['send'] = async (method, path, { headers = {}, body } = {}) => {
    const content = bodyOf(body);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...credentials, ...content.headers, ...headers },
      ...(content.body === undefined ? {} : { body: content.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: <Body>() => (text === '' ? undefined : JSON.parse(text)) as Body };
  };
  return {
    send,
    get: (path, request) => send('GET', path, request),
    head: (path, request) => send('HEAD', path, request),
    post: (path, body, request) => send('POST', path, { ...request, body }),
    put: (path, body, request) => send('PUT', path, { ...request, body }),
    patch: (path, body, request) => send('PATCH', path, { ...request, body }),
    delete: (path, request) => send('DELETE', path, request),
  };
}

const requestTimeoutMs = 30_000;

function bodyOf(body: unknown): { readonly headers: Readonly<Record<string, string>>; readonly body?: string | Uint8Array<ArrayBuffer> } {
  if (body === undefined) return { headers: {} };
  const headers = { 'Content-Type': 'application/json' };
  if (typeof body === 'string') return { headers, body };
  if (body instanceof Uint8Array) return { headers, body: new Uint8Array(body) };
  return { headers, body: JSON.stringify(body) };
}
