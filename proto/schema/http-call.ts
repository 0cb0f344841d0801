/** A request that the store answers as it is: what came with it, who asks aside. */
export interface HttpCall {
  /** The parameters of the path, decoded, in order. */
  readonly params: readonly string[];
  /** The query string as it was sent, without the question mark. */
  readonly query: string;
  /** As sent; parsed by the use case. */
  readonly body: Uint8Array;
  /** The header lines, `name: value` each, names in lower case. */
  readonly headers: string;
  /** Empty where the endpoint does not ask for it. */
  readonly clientAddress: string;
  readonly requestId: string;
}

/** An answer, ready to be sent. */
export interface HttpAnswer {
  readonly status: number;
  /** JSON text unless `headers` says otherwise; empty where there is no body. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const noContent: HttpAnswer = { status: 204, body: '' };

/** The header of this name, in lower case; empty where it was not sent. */
export function headerOf({ headers }: Pick<HttpCall, 'headers'>, name: string): string {
  const start = `${name}: `;
  const line = headers.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? '' : line.slice(start.length);
}
