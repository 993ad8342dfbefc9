import type { ChildProcess } from 'node:child_process';
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
 * Command-line flags of Chromium. The sandbox is
 * off: it needs rights that containers and the superuser lack, and the page is our own. Console messages go to standard
 * error. A page collects its own garbage before it asks for the browser's memory.
 */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--enable-unsafe-webgpu',
  '--enable-logging=stderr',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--js-flags=--expose-gc',
];

/** Flags by the adapter that WebGPU is to run on: the software one that comes with Chromium, or the machine's. */
const ADAPTERS = {
  software: ['--use-webgpu-adapter=swiftshader'],
  machine: ['--enable-features=Vulkan', '--use-angle=vulkan'],
} as const;
export type Adapter = keyof typeof ADAPTERS;

/** HTTP headers that isolate a page from others, so that it can share memory between its threads. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
} as const;

/** A site to serve on 127.0.0.1. */
export interface Site {
  /** HTML of the page at `/`. */
  readonly html: string;
  /** Path of the folder whose files are served. */
  readonly folder: string;
  /** HTTP headers of every response to a GET request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the HTML of a page that runs one script. */
export const pageOf = (script: string, isModule = true): string =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script ${isModule ? 'type="module"' : 'defer'} src="${script}"></script>`;

export interface Visit<T> {
  /** Report that the page posted, parsed from JSON. */
  readonly report: T;
  /** Console messages of the page, including those of the browser about it. */
  readonly said: readonly string[];
}

/** A headless browser, which visits one site after another. Its process ends with `close`. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #pipe: BrowserPipe;
  readonly #profile: string;
  readonly #ended: Promise<never>;
  /** Everything that the browser has written to standard error. */
  #complaints = '';
  #heard: () => void = () => {};

  private constructor(executable: string, profile: string, adapter: Adapter) {
    this.#profile = profile;
    this.#child = spawn(executable, [...FLAGS, ...ADAPTERS[adapter], `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.#pipe = new BrowserPipe(this.#child);
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`${executable} ended with code ${code} before the page had given its report.`);
    });
    this.#ended.catch(() => {});
    this.#child.stderr!.on('data', (data) => {
      this.#complaints += data;
      this.#heard();
    });
  }

  static async open(executable: string, adapter: Adapter = 'software'): Promise<Browser> {
    return new Browser(executable, await mkdtemp(join(tmpdir(), 'gradsim-browser-')), adapter);
  }

  /**
   * Serves a site, opens it in a browser context of its own (storage, caches), and waits for its report. A post to
   * `/memory` is answered with the browser's resident memory, bytes, or null; after a post to `/hide` the browser shows
   * another page.
   * @throws if the browser ends before the report, the report takes longer than `seconds`, or the page has an uncaught
   * error; the message includes what the browser wrote to standard error.
   */
  async visit<T>(site: Site, seconds: number): Promise<Visit<T>> {
    const start = this.#complaints.length;
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const context = (await this.#send('Target.createBrowserContext', { disposeOnDetach: true })) as {
      browserContextId: string;
    };
    const open = (url: string): Promise<unknown> => this.#send('Target.createTarget', { url, ...context });
    const report = new Promise<string>((resolve, reject) => {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        if (request.url === '/memory') {
          response.end(JSON.stringify(memoryOfTree(this.#child.pid!)));
          return;
        }
        if (request.url === '/hide') {
          open('about:blank').then(() => response.end(), reject);
          return;
        }
        answer(site, request, response).then((posted) => posted !== null && resolve(posted), reject);
      });
    });
    const said = (): string[] => messageText(this.#complaints.slice(start), port);
    const broken = new Promise<never>((_, reject) => {
      this.#heard = () => {
        const uncaught = said().find((line) => line.startsWith('Uncaught'));
        if (uncaught) reject(new Error(`The page: ${uncaught}`));
      };
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The page gave no report in ${seconds} s.`)), seconds * 1000);
    });
    try {
      await open(`http://127.0.0.1:${port}/`);
      const posted = JSON.parse(await Promise.race([report, this.#ended, late, broken])) as T;
      return { report: posted, said: said() };
    } catch (error) {
      const complaints = this.#complaints.slice(start).slice(-2000);
      throw new Error(`${(error as Error).message}\n${complaints}`, { cause: error });
    } finally {
      clearTimeout(timer);
      this.#heard = () => {};
      await this.#send('Target.disposeBrowserContext', context).catch(() => {});
      server.close();
      server.closeAllConnections();
    }
  }

  #send(method: string, params: object): Promise<unknown> {
    return Promise.race([this.#pipe.send(method, params), this.#ended]);
  }

  async close(): Promise<void> {
    this.#child.kill();
    await this.#ended.catch(() => {});
    // Its helpers may still be writing.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Returns the console messages, except those of pages at other ports, which were visited earlier. */
const messageText = (complaints: string, port: number): string[] =>
  [...complaints.matchAll(/:CONSOLE[:(]\d+\)?\] "(.*)", source: (\S*)/g)]
    .filter(([, , source]) => !source.startsWith('http://127.0.0.1:') || source.startsWith(`http://127.0.0.1:${port}/`))
    .map(([, line]) => line);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
};

/** Responds with the page or a file; returns the body of a POST, or null for other requests. */
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
