// The site as a host without headers serves it, below a path: every page at two widths, what moves in it, its links, the studio,
// and its service worker. In `npm test` a part of the pages, in nightly runs all of them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readFrames } from 'gradsim/video';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { draws, isTurnOf } from '../../../scripts/vitest/draws.ts';
import { type Served, serve } from './support/serve.ts';

const chromium = findChromium();
const here = fileURLToPath(new URL('..', import.meta.url));
const isPossible =
  chromium !== undefined && existsSync(join(here, 'dist/lib')) && existsSync(join(here, '../studio/dist'));
if (!isPossible) console.warn('SKIPPED, NOT TESTED: the site. It takes Chromium, and a build (npm run build).');

/** Base of a project on GitHub Pages: its name. */
const BASE = '/gradsim/';
/** Pages that are built in `npm test`; all in nightly runs. */
const ONLY = ['apps/site', 'docs/guide/start'];
const DEMOS = readdirSync(join(here, 'src/demos')).map((file) => file.replace(/\.js$/, ''));
const isWhole = draws(0, 1) > 0;

// It is built for these tests, which takes a minute of processor: its longest tests take turns within these turns.
const describeInTurn = isTurnOf('the site') ? describe.skipIf(!isPossible) : (): void => {};

describeInTurn('the site', () => {
  let folder: string;
  let browser: Browser;
  let served: Served;
  let origin: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gradsim-site-'));
    const only = isWhole ? [] : ['--only', ONLY.join(',')];
    await promisify(execFile)(process.execPath, [
      join(here, 'src/build/site.js'),
      '--base',
      BASE,
      '--out',
      folder,
      ...only,
    ]);
    served = await serve(folder, BASE);
    // A name of its own: the service worker stays away from local servers.
    origin = `http://site.test:${served.port}`;
    const args = [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP site.test 127.0.0.1',
      `--unsafely-treat-insecure-origin-as-secure=${origin}`,
    ];
    browser = await puppeteer.launch({
      executablePath: chromium!,
      protocolTimeout: 0,
      args,
      userDataDir: join(folder, '../', `${folder}-profile`),
    });
  });
  afterAll(async () => {
    await browser?.close();
    served?.server.closeAllConnections();
    served?.server.close();
    for (const each of [folder, `${folder}-profile`]) if (each) rmSync(each, { recursive: true, force: true });
  });

  /** Paths of the pages that were built, without the base. */
  const paths = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith('.html') && name !== '404.html')
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
      .filter((file) => !file.startsWith('studio/'))
      .map((file) => file.replace(/(^|\/)index\.html$|\.html$/, '$1'))
      .sort();

  /** Opens a new page that notes what goes wrong in it: errors, failed requests, requests to other origins; and what it waits for. */
  async function newPage(width: number): Promise<{ page: Page; complaints: string[]; pending: Set<string> }> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const pending = new Set<string>();
    page.on('request', (request) => pending.add(request.url()));
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end, (request) => pending.delete(request.url()));
    page.on('console', (message) => ['error', 'warn'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on(
      'response',
      (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
    );
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) complaints.push(`request to ${url}`);
    });
    page.setDefaultTimeout(0);
    await page.setViewport({ width, height: 800 });
    return { page, complaints, pending };
  }

  it('has the pages of its five visitors, the gallery, the studio, and stays below 25 MB', () => {
    expect(paths()).toEqual(expect.arrayContaining(['', 'gallery', 'guide/start']));
    expect(paths().filter((path) => path.startsWith('for/'))).toHaveLength(5);
    expect(existsSync(join(folder, 'studio/offline.js'))).toBe(true);
    if (isWhole) expect(paths().length).toBeGreaterThan(100);
  });

  it('has a moving picture of each demo, which it has drawn itself', async () => {
    for (const name of DEMOS) {
      const file = join(folder, `thumbnails/${name}.png`);
      const { width, height, data } = await readFrames([file], { frameRate: 1, channels: 4 });
      expect({ name, width, height, isSmall: statSync(file).size < 80_000 }).toEqual({
        name,
        width: 20 * 192,
        height: 120,
        isSmall: true,
      });
      const frames = Array.from({ length: 20 }, (_, k) => {
        const hash = createHash('sha256');
        for (let row = 0; row < height; row++) {
          const from = 4 * (width * row + 192 * k);
          hash.update(data.subarray(from, from + 4 * 192));
        }
        return hash.digest('hex');
      });
      expect({ name, isMoving: new Set(frames).size > 10 }).toEqual({ name, isMoving: true });
    }
  });

  it.each([1280, 390])(
    'shows every page %i pixels wide without an error or a request to others, no wider than that',
    async (width) => {
      const { page, complaints, pending } = await newPage(width);
      const found: Record<string, unknown> = {};
      for (const path of paths()) {
        // A page that never loads is named, with what it waits for.
        await page
          .goto(`${origin}${BASE}${path}`, { waitUntil: 'load', timeout: 300_000 })
          .catch((error) => complaints.push(`${error}: ${[...pending].join(', ') || 'nothing'} is outstanding`));
        await page.waitForSelector('h1');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (complaints.length > 0 || wide > width) found[path] = { wide, complaints: complaints.splice(0) };
      }
      expect(found).toEqual({});
      await page.close();
    },
  );

  it('has links that lead to a page, and to a heading of it', () => {
    const all = new Map(
      paths().map((path) => [
        path,
        readFileSync(
          join(folder, existsSync(join(folder, `${path}.html`)) ? `${path}.html` : `${path}index.html`),
          'utf8',
        ),
      ]),
    );
    const broken: string[] = [];
    let count = 0;
    for (const [path, text] of all) {
      const main = text.slice(text.indexOf('<main') >= 0 ? text.indexOf('<main') : text.indexOf('id="VPContent"'));
      for (const [, address] of main.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^(?:https?|mailto):/.test(address)) continue;
        count++;
        const { pathname, hash } = new URL(address, `http://host${BASE}${path}`);
        const target = pathname.slice(BASE.length);
        // The gallery's addresses name demos.
        if (target === 'studio/' || (target === 'gallery' && DEMOS.includes(hash.slice(1)))) continue;
        const other = all.get(target);
        if (
          other === undefined
            ? isWhole || !pathname.startsWith(BASE)
            : hash && !other.includes(`id="${decodeURIComponent(hash.slice(1))}"`)
        )
          broken.push(`${path}: ${address}`);
      }
    }
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(isWhole ? 800 : 50);
  });

  it('solves the film of its first page, and says what it may be trusted for', async () => {
    const { page, complaints } = await newPage(1280);
    await page.goto(`${origin}${BASE}`);
    await page.waitForSelector('.solve[data-done=true]', { timeout: 0 });
    expect(await page.$eval('.solve [role=status]', (each) => each.textContent)).toMatch(
      /^(?:Trusted|Not to be trusted)/,
    );
    const rows = await page.$$eval('.solve tbody tr', (all) =>
      all.map((row) => [...row.children].slice(1).map((cell) => Number.parseFloat(cell.textContent!))),
    );
    expect(rows).toHaveLength(4);
    for (const [estimate, truth] of rows)
      expect(Math.abs(estimate - truth)).toBeLessThan(0.02 * Math.max(1, Math.abs(truth)));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('plays a demo, moves it by a slider, checks its gradient, and keeps its state in a link', async () => {
    const { page, complaints } = await newPage(1280);
    await page.goto(`${origin}${BASE}gallery#ball;0.6,0.06,1.2,30,1.3`);
    await page.waitForSelector('.demo[data-demo=ball][data-ready=true]', { timeout: 0 });
    const textOf = (selector: string): Promise<string> => page.$eval(selector, (each) => each.textContent!.trim());
    const values = (): Promise<string[]> =>
      page.$$eval('.demo label span:last-child', (all) => all.map((each) => each.textContent!.trim()));
    expect(await values()).toEqual(['0.6', '0.06', '1.2 m/s', '30 rad/s', '1.3 m']);
    const before = await textOf('.demo .output strong');
    // By the keyboard, as a visitor without a mouse would.
    await page.focus('#slider-2');
    for (let k = 0; k < 30; k++) await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      (old) => document.querySelector('.demo .output strong')!.textContent !== old,
      { timeout: 0, polling: 200 },
      before,
    );
    await page.evaluate(() =>
      [...document.querySelectorAll('.demo button')]
        .find((each) => each.textContent!.includes('Check'))!
        .dispatchEvent(new MouseEvent('click')),
    );
    await page.waitForSelector('.demo .check', { timeout: 0 });
    const checks = await page.$$eval('.demo .check', (all) =>
      all.map((each) => each.textContent!.match(/-?[\d.]+(?:e[-+]\d+)?/g)!.map(Number)),
    );
    expect(checks).toHaveLength(5);
    for (const [gradient, difference] of checks)
      expect(Math.abs(gradient - difference)).toBeLessThan(1e-3 * (1 + Math.abs(gradient)));
    // Code that a visitor changes runs, and comes along in the link, where it waits to be read.
    await page.$eval('.demo details', (each) => each.setAttribute('open', ''));
    await page.$eval('.demo textarea', (each) => {
      const area = each as HTMLTextAreaElement;
      area.value = area.value.replace("'x after two seconds'", "'where it is'");
      area.dispatchEvent(new Event('input'));
    });
    const press = (text: string): Promise<unknown> =>
      page.evaluate(
        (words) =>
          [...document.querySelectorAll('.demo button')]
            .find((each) => each.textContent!.trim() === words)!
            .dispatchEvent(new MouseEvent('click')),
        text,
      );
    await press('Run');
    await page.waitForFunction(() => document.querySelector('.demo .output')!.textContent!.includes('where it is'), {
      timeout: 0,
    });
    await press('Copy link');
    await page.waitForFunction(() => location.hash.split(';').length === 3, { timeout: 0, polling: 200 });
    const link = page.url();
    expect(complaints).toEqual([]);
    await page.close();

    const other = await newPage(390);
    await other.page.goto(link);
    await other.page.waitForSelector('.demo .note[role=status]', { timeout: 0 });
    expect(await other.page.$('.demo canvas')).toBeNull();
    expect(await other.page.$eval('.demo textarea', (each) => (each as HTMLTextAreaElement).value)).toContain(
      "'where it is'",
    );
    await other.page.evaluate(() =>
      document.querySelector('.demo .note button')!.dispatchEvent(new MouseEvent('click')),
    );
    await other.page.waitForFunction(
      () => document.querySelector('.demo .output')!.textContent!.includes('where it is'),
      { timeout: 0, polling: 200 },
    );
    expect(other.complaints).toEqual([]);
    await other.page.close();
  });

  it('gives a tag by which a page of others shows a demo as it is, alone and on one thread', async () => {
    const { page, complaints } = await newPage(1280);
    await page.goto(`${origin}${BASE}gallery#swing-up;2.5,1,0.01,0.5`);
    await page.waitForSelector('.demo[data-demo=swing-up][data-ready=true]', { timeout: 0 });
    await page.evaluate(() =>
      [...document.querySelectorAll('.demo button')]
        .find((each) => each.textContent!.trim() === 'Copy embed tag')!
        .dispatchEvent(new MouseEvent('click')),
    );
    await page.waitForSelector('.demo .tag', { timeout: 0 });
    const tag = await page.$eval('.demo .tag', (each) => (each as HTMLInputElement).value);
    expect(complaints).toEqual([]);
    await page.close();

    // A lesson of somebody else's.
    const { page: lesson } = await newPage(700);
    await lesson.setContent(`<!doctype html><h1>Lesson</h1>${tag}`);
    const handle = await lesson.waitForSelector('iframe');
    const frame = (await handle!.contentFrame())!;
    await frame.waitForSelector('.demo[data-demo=swing-up][data-ready=true]', { timeout: 0 });
    const values = await frame.$$eval('.demo label span:last-child', (all) =>
      all.map((each) => each.textContent!.trim()),
    );
    expect(values).toEqual(['2.5 N m', '1 s', '0.01 N m s/rad', '0.5 rad']);
    expect(await frame.$('.VPNav')).toBeNull();
    expect(await frame.$$eval('.demo .note', (all) => all.map((each) => each.textContent).join())).toContain(
      '1 thread',
    );
    await lesson.close();
  });

  it('says what is wrong in changed code, and leaves a link that is none to the first demo', async () => {
    const { page, complaints } = await newPage(1280);
    await page.goto(`${origin}${BASE}gallery#ball;1,2;not-deflated`);
    await page.waitForSelector('.demo[data-demo=toss][data-ready=true]', { timeout: 0 });
    const problemOf = async (from: string, to: string, said?: string): Promise<[said: string, line: number]> => {
      const line = await page.evaluate(
        (right, wrong) => {
          const area = document.querySelector<HTMLTextAreaElement>('.demo textarea')!;
          const at = area.value.slice(0, area.value.indexOf(right)).split('\n').length;
          area.value = area.value.replace(right, wrong);
          area.dispatchEvent(new Event('input'));
          [...document.querySelectorAll('.demo button')]
            .find((each) => each.textContent!.trim() === 'Run')!
            .dispatchEvent(new MouseEvent('click'));
          return at;
        },
        from,
        to,
      );
      await page.waitForFunction(
        (before) => ![undefined, before].includes(document.querySelector('.demo .problem')?.textContent?.trim()),
        { timeout: 0, polling: 100 },
        said,
      );
      return [(await page.$eval('.demo .problem', (each) => each.textContent!)).trim(), line];
    };
    const [wrong, at] = await problemOf('density: 400', 'density: -1');
    expect(wrong).toContain('bodies.density');
    // Of the call, in whose last line the value stands.
    expect(wrong).toMatch(new RegExp(`^Line ${at - 2}: `));
    const [broken, line] = await problemOf('density: -1', 'density = = 400', wrong);
    expect(broken).toMatch(new RegExp(`^Line ${line}: `));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs the program of the first guide where it stands, which prints what the guide says', async () => {
    const { page, complaints } = await newPage(390);
    await page.goto(`${origin}${BASE}guide/start`);
    await page.waitForSelector('.snippet button', { timeout: 0 });
    await page.evaluate(() => document.querySelector('.snippet button')!.dispatchEvent(new MouseEvent('click')));
    await page.waitForFunction(
      () =>
        document.querySelector('.snippet pre')!.textContent!.includes('d x / d drag') &&
        !document.querySelector<HTMLButtonElement>('.snippet button')!.disabled,
      { timeout: 0, polling: 200 },
    );
    const printed = (await page.$eval('.snippet pre', (each) => each.textContent!)).trim();
    const [said] = await page.$$eval('.vp-doc div[class*=language] code', (all) =>
      all.map((each) => each.textContent!.trim()).filter((text) => text.startsWith('position after')),
    );
    expect(printed).toBe(said);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has at least 95 of 100 of Lighthouse for accessibility and for best practices', async () => {
    const { measured } = await import('../src/build/lighthouse.js');
    for (const { failed, ...result } of await measured(folder, { base: BASE })) {
      // What depends on time is for the bench: others may keep this machine busy.
      console.info(JSON.stringify(result));
      expect(result, JSON.stringify(failed)).toMatchObject({
        accessibility: expect.toSatisfy((score: number) => score >= 95),
        'best-practices': expect.toSatisfy((score: number) => score >= 95),
      });
    }
  });

  it('has the studio below it', async () => {
    const { page, complaints } = await newPage(390);
    await page.goto(`${origin}${BASE}studio/`);
    await page.waitForSelector('#studio button', { timeout: 0 });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows visited pages without a network, and gives pages several threads where that is asked for', async () => {
    const { page } = await newPage(1280);
    await page.goto(`${origin}${BASE}guide/start`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload({ waitUntil: 'networkidle0' });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    served.isDown = true;
    served.server.closeAllConnections();
    await page.reload();
    expect(await page.$eval('h1', (each) => each.textContent)).toContain('Start');
    served.isDown = false;

    await page.goto(`${origin}${BASE}gallery`);
    await page.waitForSelector('.threads input');
    await page.evaluate(() => document.querySelector<HTMLInputElement>('.threads input')!.click());
    await page.waitForFunction(() => crossOriginIsolated, { timeout: 0, polling: 200 });
    await page.waitForSelector('.demo[data-ready=true]', { timeout: 0 });
    const note = await page.$$eval('.demo .note', (all) => all.map((each) => each.textContent).join());
    expect(note).not.toContain('not cross-origin isolated');
    await page.evaluate(() => document.querySelector<HTMLInputElement>('.threads input')!.click());
    await page.waitForFunction(() => !crossOriginIsolated, { timeout: 0, polling: 200 });
    await page.close();
  });
});
