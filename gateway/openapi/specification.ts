import { createHash } from 'node:crypto';
import type { Collection } from '../../proto/schema/collection.ts';
import type { SpecificationPort, SpecificationRequest } from '../endpoint/context.ts';
import { headerLines, type Endpoint, type Reply } from '../endpoint/define.ts';
import { genericDocument, type OpenApiDocument } from './generic-document.ts';
import { liveDocument } from './live-document.ts';
import { yamlText } from './yaml-text.ts';

/**
 * The OpenAPI document of this moment. Whether the catalogue has changed is asked at most twice a second; the document is made
 * when somebody asks for it and kept until the catalogue's version moves. While no store answers, the last one known is given.
 */
export class Specification implements SpecificationPort {
  readonly #source: DescriptionSource;
  readonly #generic: OpenApiDocument;
  readonly #askAgainMs: number;
  #current: Edition | null = null;
  #askedAt = -Infinity;
  #asking: Promise<Edition> | null = null;

  constructor(source: DescriptionSource, { endpoints, askAgainMs = askAgainMsDefault }: SpecificationOptions) {
    this.#source = source;
    this.#askAgainMs = askAgainMs;
    this.#generic = genericDocument(endpoints);
  }

  async json(request: SpecificationRequest): Promise<Reply> {
    return answer((await this.#edition(request.requestId)).json(), request.ifNoneMatch);
  }

  async yaml(request: SpecificationRequest): Promise<Reply> {
    return answer((await this.#edition(request.requestId)).yaml(), request.ifNoneMatch);
  }

  async #edition(requestId: string): Promise<Edition> {
    if (this.#current !== null && performance.now() - this.#askedAt < this.#askAgainMs) return this.#current;
    // Everyone who asks meanwhile waits for the same question.
    this.#asking ??= this.#ask(requestId).finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #ask(requestId: string): Promise<Edition> {
    const known = this.#current;
    try {
      const { version, collections } = await this.#source.describe(requestId, known?.version ?? 0n);
      const isKnown = known !== null && (version === known.version || collections.length === 0);
      this.#current = isKnown ? known : new Edition(version, liveDocument(this.#generic, readCollections(collections)));
      this.#askedAt = performance.now();
      return this.#current;
    } catch (error) {
      if (known === null) throw error;
      this.#askedAt = performance.now();
      return known;
    }
  }
}

export interface SpecificationOptions {
  readonly endpoints: readonly Endpoint[];
  /** How long a document is given without asking whether it still holds. */
  readonly askAgainMs?: number;
}

/** Who knows the collections. */
export interface DescriptionSource {
  describe(requestId: string, knownVersion: bigint): Promise<{ readonly version: bigint; readonly collections: Buffer }>;
}

const askAgainMsDefault = 500;

/** One version of the document; each of its texts is made when first asked for. */
class Edition {
  readonly version: bigint;
  readonly #document: OpenApiDocument;
  #json: SpecificationText | null = null;
  #yaml: SpecificationText | null = null;

  constructor(version: bigint, document: OpenApiDocument) {
    this.version = version;
    this.#document = document;
  }

  json(): SpecificationText {
    this.#json ??= specificationText(JSON.stringify(this.#document), 'application/json');
    return this.#json;
  }

  yaml(): SpecificationText {
    this.#yaml ??= specificationText(yamlText(this.#document), 'application/yaml; charset=utf-8');
    return this.#yaml;
  }
}

interface SpecificationText {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: ReturnType<typeof headerLines>;
}

function specificationText(text: string, type: string): SpecificationText {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, headers: headerLines({ 'Content-Type': type, 'Cache-Control': 'no-cache' }) };
}

function answer({ body, etag, headers }: SpecificationText, ifNoneMatch: string): Reply {
  const isKnown = ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
  return isKnown ? { status: 304, body: '', etag, retryAfterS: 0 } : { status: 200, body, etag, retryAfterS: 0, headers };
}

/** The store's own answer: trusted to be what it says. */
function readCollections(json: Buffer): readonly Collection[] {
  return json.length === 0 ? [] : (JSON.parse(json.toString()) as readonly Collection[]);
}
