import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';

const chromium = findChromium();
const folder = fileURLToPath(new URL('../dist', import.meta.url));
const isPossible = chromium !== undefined && existsSync(folder);
if (!isPossible) console.warn('SKIPPED, NOT TESTED: the studio without a network. It takes Chromium.');

/** The files of the page as built, by path. */
const filesOfPage = (): Map<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(folder.length).replaceAll('\\', '/'), readFileSync(file)]),
  );
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

describe.skipIf(!isPossible)('the service worker of a hosted studio', () => {
  let browser: Browser;
  let page: Page;
  let server: Server;
  let port: number;
  /** Answer of the host; undefined for a host that cannot be reached. */
  let served: Map<string, Buffer> | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (!served) return request.socket.destroy();
      const { pathname } = new URL(request.url!, 'http://localhost');
      const path = pathname === '/' ? '/index.html' : pathname;
      const file = served.get(path);
      const headers = {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'cache-control': 'no-cache',
      };
      if (file) response.writeHead(200, headers).end(file);
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  /** Opens the page at a host of its own name, which this machine answers for. */
  beforeEach(async () => {
    served = filesOfPage();
    const address = `http://studio.test:${port}`;
    const args = [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--host-resolver-rules=MAP studio.test 127.0.0.1',
    ];
    browser = await puppeteer.launch({
      executablePath: chromium!,
      args: [...args, `--unsafely-treat-insecure-origin-as-secure=${address}`],
    });
    page = await browser.newPage();
    await page.goto(address);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    return () => browser.close();
  });

  it('opens the page without a network after the first visit, and has all of its files', async () => {
    const paths = [...served!.keys()].filter((path) => !['/index.html', '/offline.js'].includes(path));
    served = undefined;
    await page.reload();
    await page.waitForSelector('.drop h2');
    const sizes = await page.evaluate(
      (all) => Promise.all(all.map(async (path) => (await (await fetch(path)).arrayBuffer()).byteLength)),
      paths,
    );
    expect(sizes).toEqual(paths.map((path) => readFileSync(join(folder, path)).length));
  });

  it('shows another version at once, and keeps that one then', async () => {
    const next = (path: string): Buffer => Buffer.from(String(served!.get(path)).replace('</title>', ' 2</title>'));
    served!.set('/index.html', next('/index.html'));
    const worker = String(served!.get('/offline.js')).replace(/VERSION = '[0-9a-f]+'/, "VERSION = '0123456789abcdef'");
    served!.set('/offline.js', Buffer.from(worker));
    await page.reload();
    expect(await page.title()).toMatch(/ 2$/);
    // The new worker is in place: its cache alone is there, and it waits for nothing.
    await page.waitForFunction(async () => {
      const all = await navigator.serviceWorker.getRegistrations();
      const isSettled =
        all.length === 1 && !all[0].installing && !all[0].waiting && all[0].active?.state === 'activated';
      return isSettled && (await caches.keys()).join() === 'gradsim-studio-0123456789abcdef';
    });
    served = undefined;
    await page.reload();
    expect(await page.title()).toMatch(/ 2$/);
  });

  it('is gone, with all that it kept, where the address has another program', async () => {
    served = new Map([['/index.html', Buffer.from('<title>Another</title><p>Another program</p>')]]);
    await page.reload();
    expect(await page.title()).toBe('Another');
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
  });

  it('ends a worker that an earlier version left at an address of this machine', async () => {
    const before = `addEventListener('install', (e) => e.waitUntil(caches.open('00112233445566aa').then((c) => c.addAll(['./']))));
      addEventListener('activate', (e) => e.waitUntil(clients.claim()));
      addEventListener('fetch', (e) => e.respondWith(caches.match(e.request).then((kept) => kept ?? fetch(e.request))));`;
    const now = served!;
    served = new Map([
      ...now,
      ['/index.html', Buffer.from('<title>Old</title>')],
      ['/offline.js', Buffer.from(before)],
    ]);
    await page.goto(`http://localhost:${port}`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('offline.js');
      await navigator.serviceWorker.ready;
    });
    served = now;
    await page.reload();
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await page.reload();
    expect(await page.title()).not.toBe('Old');
  });
});
