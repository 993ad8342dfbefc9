import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** Content of the studio's server. */
export interface StudioSite {
  /** Folder of the page's files. */
  readonly folder: string;
  /** Path of the film that the page opens, which is served as `/film`. */
  readonly film?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** HTTP headers of all answers: a policy under which the page can load from nowhere else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; media-src blob:; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Names by which a browser on this machine reaches the server; a page elsewhere that resolves to it has another. */
const HOSTS = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;

/**
 * Serves the studio on this machine alone, at 127.0.0.1.
 * @param port 0 for any free one.
 * @throws if the port is in use.
 */
export async function serveStudio(site: StudioSite, port: number): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, address: `http://localhost:${(server.address() as AddressInfo).port}/` };
}

function answer({ folder, film }: StudioSite, request: IncomingMessage, response: ServerResponse): unknown {
  const refuse = (status: number) => response.writeHead(status).end();
  if (!HOSTS.test(request.headers.host ?? '')) return refuse(403);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  let path: string;
  try {
    path = normalize(decodeURIComponent(pathname));
  } catch {
    return refuse(400);
  }
  const file = path === '/film' ? film : join(folder, path === '/' ? 'index.html' : path);
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return refuse(404);
  const type = path === '/film' ? undefined : TYPES[extname(file!)];
  response.writeHead(200, {
    ...HEADERS,
    'content-type': type ?? 'application/octet-stream',
    'content-length': stats.size,
    'cache-control': 'no-cache',
  });
  if (request.method === 'HEAD') return response.end();
  return createReadStream(file!)
    .on('error', () => response.destroy())
    .pipe(response);
}
