import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** A folder that is served; while it `isDown`, the host cannot be reached. */
export interface Served {
  readonly server: Server;
  readonly port: number;
  isDown: boolean;
}

/** Serves a folder below a path as GitHub Pages does: without headers, `/start` being `/start.html`. */
export async function serve(folder: string, base: string): Promise<Served> {
  const server = createServer((request, response) => {
    if (served.isDown) {
      request.socket.destroy();
      return;
    }
    const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
    const inside = path.startsWith(base) ? normalize(path.slice(base.length)) : '..';
    const candidates = inside.startsWith('..') ? [] : [inside, `${inside}.html`, join(inside, 'index.html')];
    const file = candidates
      .map((each) => join(folder, each))
      .find((each) => existsSync(each) && statSync(each).isFile());
    if (!file) response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const served: Served = { server, port: (server.address() as AddressInfo).port, isDown: false };
  return served;
}
