import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fail } from '../../proto/errors/svc-error.ts';
import type { PagesPort } from '../endpoint/context.ts';
import { headerLines, reply, type Reply } from '../endpoint/define.ts';
import { styleSheet } from './style-sheet.ts';

/** The pages that mail and devices send people to, by their name in the address, with their titles. */
const titles: ReadonlyMap<string, string> = new Map([
  ['reset-password', 'Choose a new password'],
  ['verify-email', 'Confirm your e-mail address'],
  ['confirm-email-change', 'Confirm your new e-mail address'],
  ['setup', 'The first root user'],
  ['device', 'Let a device in'],
]);

const scripts: ReadonlySet<string> = new Set([...titles.keys(), 'page', 'passkey'].map((name) => `${name}.js`));

/** Small pages that use nothing but the API, and may load nothing from anywhere else. */
export class Pages implements PagesPort {
  readonly #files = new Map<string, Promise<string>>();

  page(name: string): Reply {
    const title = titles.get(name) ?? fail('route_not_found');
    return reply(200, pageHtml(name, title), pageLines);
  }

  async asset(file: string, request: { readonly ifNoneMatch: string }): Promise<Reply> {
    const isStyle = file === styleFile;
    if (!isStyle && !scripts.has(file)) return fail('route_not_found');
    const text = isStyle ? styleSheet : await this.#script(file);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    if (request.ifNoneMatch.includes(etag)) return { status: 304, body: '', etag, retryAfterS: 0 };
    return { status: 200, body: text, etag, retryAfterS: 0, headers: isStyle ? styleLines : scriptLines };
  }

  #script(file: string): Promise<string> {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const loading = readFile(new URL(`./browser/${file}`, import.meta.url), 'utf8');
    this.#files.set(file, loading);
    return loading;
  }
}

const styleFile = 'style.css';

function pageHtml(name: string, title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/_svc_/pages/${styleFile}">
    <script type="module" src="/_svc_/pages/${name}.js"></script>
  </head>
  <body>
    <main><noscript>This page needs JavaScript.</noscript></main>
  </body>
</html>
`;
}

/** The address holds a token: no cache keeps the page, no other site learns where it was. */
const pageLines = headerLines({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
});
const assetHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
const scriptLines = headerLines({ 'Content-Type': 'text/javascript; charset=utf-8', ...assetHeaders });
const styleLines = headerLines({ 'Content-Type': 'text/css; charset=utf-8', ...assetHeaders });
