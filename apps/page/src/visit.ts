import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { BrowserPipe } from './browser-pipe.ts';
import { memoryOfTree } from './process-memory.ts';

/**
 * WebGPU on the software adapter that Chromium brings, which is not offered without the first flag. The sandbox needs
 * rights that containers and the superuser do not have; the page is our own. What pages say goes to standard error.
 */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-logging=stderr',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** With these a page is isolated from others, and can share memory between its threads. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
} as const;

/** What is served on 127.0.0.1. */
export interface Site {
  /** The page at `/`. */
  readonly html: string;
  /** Where the files are. */
  readonly folder: string;
  /** Of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page that runs one script. */
export const pageOf = (script: string, isModule = true): string =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script ${isModule ? 'type="module"' : 'defer'} src="${script}"></script>`;

export interface Visit<T> {
  /** What the page posted to `/report`. */
  readonly report: T;
  /** What it, or the browser about it, said in the console. */
  readonly said: readonly string[];
}

/**
 * Serves a site, opens it in a headless browser and waits for its report. What is posted to `/memory` is answered with the
 * bytes that the browser has in memory, or null; after a post to `/hide` the browser shows another page.
 * @throws when the browser ends before, takes longer than `seconds`, or nobody catches an error of the page; with what it
 * said on standard error.
 */
export async function visit<T>(browser: string, site: Site, seconds: number): Promise<Visit<T>> {
  const profile = await mkdtemp(join(tmpdir(), 'gradsim-browser-'));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const report = new Promise<string>((resolve, reject) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/memory') {
        response.end(JSON.stringify(memoryOfTree(child.pid!)));
        return;
      }
      if (request.url === '/hide') {
        pipe.send('Target.createTarget', { url: 'about:blank' }).then(() => response.end(), reject);
        return;
      }
      answer(site, request, response).then((posted) => posted !== null && resolve(posted), reject);
    });
  });
  const child = spawn(browser, [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const pipe = new BrowserPipe(child);
  const ended = once(child, 'exit');
  let complaints = '';
  const broken = new Promise<never>((_, reject) => {
    child.stderr!.on('data', (data) => {
      complaints += data;
      const uncaught = spoken(complaints).find((line) => line.startsWith('Uncaught'));
      if (uncaught) reject(new Error(`The page: ${uncaught}`));
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page gave no report in ${seconds} s.`)), seconds * 1000);
  });
  const early = ended.then(([code]) => {
    throw new Error(`${browser} ended with code ${code} before the page had given its report.`);
  });
  try {
    const posted = JSON.parse(await Promise.race([report, early, late, broken])) as T;
    return { report: posted, said: spoken(complaints) };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${complaints.slice(-2000)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    child.kill();
    await ended.catch(() => {});
    server.close();
    server.closeAllConnections();
    // Its helpers may still be writing.
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** The lines of the console. */
const spoken = (complaints: string): string[] =>
  [...complaints.matchAll(/:CONSOLE[:(]\d+\)?\] "(.*)", source/g)].map(([, line]) => line);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
};

/** Answers with the page or a file; gives back what was posted, or null. */
async function answer(
  { html, folder, headers = {} }: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | null> {
  if (request.method === 'POST') {
    const posted = await text(request);
    response.end();
    return posted;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html').end(html);
    return null;
  }
  const type = TYPES[extname(pathname)] ?? 'application/octet-stream';
  try {
    const body = readFileSync(join(folder, normalize(decodeURIComponent(pathname))));
    response.setHeader('content-type', type).end(body);
  } catch {
    response.writeHead(404).end();
  }
  return null;
}
