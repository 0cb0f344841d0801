import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fail } from '../../proto/errors/svc-error.ts';
import type { DocumentationPort } from '../endpoint/context.ts';
import { headerLines, reply, type Reply } from '../endpoint/define.ts';
import { initScript, pageHtml } from './documentation-page.ts';

/**
 * The interactive documentation, served from this process alone: Swagger UI's files, read and compressed when first asked for,
 * and a page that may load nothing from anywhere else.
 */
export class Documentation implements DocumentationPort {
  readonly #folder: () => string;
  readonly #files = new Map<string, Promise<AssetFile>>();

  /** `folder` tells where Swagger UI's files lie. */
  constructor(folder: () => string = swaggerFolder) {
    this.#folder = folder;
  }

  page(): Reply {
    return reply(200, pageHtml, pageLines);
  }

  async asset(file: string, request: AssetRequest): Promise<Reply> {
    const type = assetTypes.get(file) ?? fail('route_not_found');
    const { encodings, etag } = await this.#file(file);
    if (request.ifNoneMatch.includes(etag)) return { status: 304, body: '', etag, retryAfterS: 0 };
    const encoding = bestEncoding(request.acceptEncoding);
    const body = encodings[encoding];
    const coding: Record<string, string> = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
    const headers = headerLines({ 'Content-Type': type, 'Cache-Control': 'public, max-age=3600', Vary: 'Accept-Encoding', ...coding });
    return { status: 200, body, etag, retryAfterS: 0, headers };
  }

  #file(name: string): Promise<AssetFile> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const loading = loadFile(name, this.#folder);
    this.#files.set(name, loading);
    // A failure is not kept: the next request tries again.
    loading.catch(() => this.#files.delete(name));
    return loading;
  }
}

interface AssetRequest {
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
}

type Encoding = 'br' | 'gzip' | 'identity';

interface AssetFile {
  readonly encodings: Readonly<Record<Encoding, Buffer>>;
  readonly etag: string;
}

const initFile = 'init.js';
const assetTypes: ReadonlyMap<string, string> = new Map([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  [initFile, 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

const pageLines = headerLines({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  // Swagger UI sets inline styles and draws its icons from data addresses; scripts come from this origin and from nowhere else.
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
});

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

async function loadFile(name: string, folder: () => string): Promise<AssetFile> {
  const identity = name === initFile ? Buffer.from(initScript) : await readFile(path.join(folder(), name));
  const [zipped, br] = await Promise.all([compressGzip(identity), compressBrotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })]);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { encodings: { identity, gzip: zipped, br }, etag };
}

function bestEncoding(accepted: string): Encoding {
  const offers = accepted
    .toLowerCase()
    .split(',')
    .map((offer) => offer.trim());
  const isOffered = (name: string): boolean =>
    offers.some((offer) => offer === name || (offer.startsWith(`${name};`) && !/;\s*q=0(\.0*)?$/.test(offer)));
  if (isOffered('br')) return 'br';
  return isOffered('gzip') ? 'gzip' : 'identity';
}

function swaggerFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
