import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Bundle } from './bundle.ts';

/**
 * WebGPU on the software adapter that Chromium brings, which is not offered without the first flag. The sandbox needs
 * rights that containers and the superuser do not have; the page is our own.
 */
const FLAGS = [
  '--headless=new',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Scripts and WebAssembly of the page's own, nothing that is made of text; and workers, which have no file of their own. */
const POLICY = "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:";

/**
 * Serves a bundle on 127.0.0.1, opens it in a headless browser and gives back what the page posts to `/report`.
 * @throws when the browser ends before, or takes longer than `seconds`; with what it said on standard error.
 */
export async function visit<T>(browser: string, bundle: Bundle, seconds: number): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'gradsim-browser-'));
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const report = new Promise<string>((resolve, reject) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      answer(bundle, request, response).then((posted) => posted !== null && resolve(posted), reject);
    });
  });
  const child = spawn(browser, [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints += data;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page gave no report in ${seconds} s.`)), seconds * 1000);
  });
  const early = ended.then(([code]) => {
    throw new Error(`${browser} ended with code ${code} before the page had given its report.`);
  });
  try {
    return JSON.parse(await Promise.race([report, early, late])) as T;
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

/** Answers with a file of the bundle or the page; gives back what was posted, or null. */
async function answer(
  { entry, files }: Bundle,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | null> {
  if (request.method === 'POST') {
    const posted = await text(request);
    response.end();
    return posted;
  }
  const file = files.get(request.url ?? '');
  response.setHeader('content-security-policy', POLICY);
  // A page that is isolated from others can share memory between its threads.
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  if (file !== undefined) response.setHeader('content-type', 'text/javascript').end(file);
  else if (request.url === '/')
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><meta charset="utf-8"><script type="module" src="${entry}"></script>`);
  else response.writeHead(404).end();
  return null;
}
