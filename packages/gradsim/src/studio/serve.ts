import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import { isFile } from '@gradsim/base/files';
import serveStatic from 'serve-static';
import type { KindText } from './kind-file.ts';

/** Content of the studio's server. */
export interface StudioSite {
  /** Folder of the page's files. */
  readonly folder: string;
  /** Path of the film that the page opens, which is served as `/film`. */
  readonly film?: string;
  /** Files of kinds of others, which are served as `/kinds/NAME.js`. */
  readonly kinds?: readonly KindText[];
}

/** HTTP headers of all answers: the page can load from nowhere else, and no page elsewhere can load from here. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; media-src blob:; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
} as const;

/** Names by which a browser on this machine reaches the server; a page elsewhere that resolves to it has another. */
const HOSTS = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;

/**
 * Serves the studio on this machine alone, at 127.0.0.1.
 * @param port 0 for any free one.
 * @throws if the port is in use.
 */
export async function serveStudio(site: StudioSite, port: number): Promise<{ server: Server; address: string }> {
  const answer = answerOf(site);
  const server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch {
      refuse(response, 500);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, address: `http://localhost:${(server.address() as AddressInfo).port}/` };
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status).end();
}

/** The server's answer to a request: a file of the page, the film, a kind, or a status without content. */
function answerOf({
  folder,
  film,
  kinds = [],
}: StudioSite): (request: IncomingMessage, response: ServerResponse) => void {
  const common = { redirect: false, cacheControl: false } as const;
  const page = serveStatic(folder, common);
  // A film is bytes, whatever its name says.
  const setHeaders = (response: ServerResponse): unknown =>
    response.setHeader('content-type', 'application/octet-stream');
  const ofFilm =
    film && serveStatic(dirname(film), { ...common, index: false, dotfiles: 'allow', fallthrough: false, setHeaders });
  return (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { host = '', origin } = request.headers;
    if (!HOSTS.test(host) || (origin !== undefined && origin !== `http://${host}`)) return refuse(response, 403);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    // No browser names a whole address, or a way that does not begin at the root.
    if (!request.url?.startsWith('/')) return refuse(response, 400);
    const next = (error?: { readonly status?: number }): void => refuse(response, error ? (error.status ?? 500) : 404);
    if (/^\/film(?:\?|$)/.test(request.url)) {
      // Neither a folder nor a pipe that has taken its place.
      if (!film || !ofFilm || !isFile(film)) return refuse(response, 404);
      request.url = `/${encodeURIComponent(basename(film))}`;
      return ofFilm(request, response, next);
    }
    const kind = kinds.find(({ name }) => request.url === `/kinds/${name}.js`);
    if (!kind) return page(request, response, next);
    const body = Buffer.from(kind.text);
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'content-length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}
