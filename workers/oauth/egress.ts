/** How this room reaches providers; which addresses may be called is decided there. */
export interface Egress {
  /** Follows no redirect; rejects when there is no whole answer within the bounds. */
  request(input: EgressRequest): Promise<EgressAnswer>;
}

export interface EgressRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Of the answer's body. */
  readonly bytesMax: number;
  readonly signal?: AbortSignal;
}

export interface EgressAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}
