import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createFrames, encodeFrames } from '@gradsim/video';
import { unzipSync } from 'fflate';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../packages/gradsim/src/program.ts';
import { chromium, type OpenStudio, openStudio, PHONE, timeout } from './support/open.ts';

const film = fileURLToPath(new URL('../../../../shared/data/films/bounce.mp4', import.meta.url));
const slideFilm = fileURLToPath(new URL('../../../../shared/data/films/slide.mp4', import.meta.url));
const folder = fileURLToPath(new URL('../dist', import.meta.url));
const isPossible = chromium !== undefined && existsSync(film) && existsSync(slideFilm);
if (!isPossible) console.warn('SKIPPED, NOT TESTED: the studio. It takes Chromium and ../shared/data/films.');

/** Corners of the box in the first frame of the film of a slide, by its README: number, x, y, px. */
const CORNERS = [
  [6, 64.28, 71.84],
  [7, 86.17, 80.37],
  [5, 81.63, 91.65],
  [4, 59.89, 83.43],
  [3, 86.92, 75.9],
  [2, 65.93, 67.63],
] as const;

describe.skipIf(!isPossible)('the studio in a browser, at the size of a phone', () => {
  let studio: OpenStudio;
  let scratch: string;
  let page: Page;
  let address: string;
  const requested: string[] = [];

  beforeAll(async () => {
    studio = await openStudio();
    ({ page, address, scratch } = studio);
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(address);
    await page.waitForSelector('.drop button');
  });
  afterAll(() => studio?.close());

  const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '');
  async function choose(file: string): Promise<void> {
    const input = await page.$('input[type=file]');
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file);
  }
  /** Contents of the file that a button saves, kept in the page instead of on the disk. */
  async function saved(button: string): Promise<Uint8Array> {
    const bytes = await page.evaluate(async (label) => {
      const { createObjectURL } = URL;
      const blob = await new Promise<Blob>((resolve) => {
        URL.createObjectURL = (content) => {
          resolve(content as Blob);
          return createObjectURL(content);
        };
        const buttons = [...document.querySelectorAll<HTMLButtonElement>('.downloads button')];
        buttons.find(({ textContent }) => textContent?.includes(label))!.click();
      });
      URL.createObjectURL = createObjectURL;
      return Array.from(new Uint8Array(await blob.arrayBuffer()));
    }, button);
    return Uint8Array.from(bytes);
  }

  it('loads below 300 kB compressed before a film is there, and fits the width', async () => {
    const files = requested.map((url) => new URL(url).pathname);
    const scripts = await page.$$eval('script[src], link[href]', (all) => all.map((each) => each.outerHTML).join());
    const own = files.filter((path) => path === '/' || scripts.includes(path.slice(1)));
    const sizes = own.map((path) => gzipSync(readFileSync(join(folder, path === '/' ? 'index.html' : path))).length);
    const total = sizes.reduce((a, b) => a + b);
    console.log(`${total} bytes compressed in ${own.length} files`);
    expect(own.length).toBeGreaterThan(2);
    expect(total).toBeLessThan(300_000);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });

  it('answers files that are no film, and a film in which nothing moves, with a sentence', async () => {
    // A square of 12 pixels moves by one pixel a frame: less than an outline takes.
    const frames = createFrames({ width: 32, height: 24, channels: 3, frameRate: 30 }, 3);
    for (let k = 0; k < 3; k++)
      for (let y = 8; y < 20; y++) frames.data.fill(1, 3 * (32 * (24 * k + y) + k), 3 * (32 * (24 * k + y) + k + 12));
    const still = await encodeFrames(frames, 'gif');
    const cut = readFileSync(film).subarray(0, 9000);
    const odd = {
      'still.gif': still,
      'notes.mp4': 'not a film',
      'empty.mp4': '',
      'cut.mp4': cut,
      'session.json': '{"format":"other"}',
    };
    for (const [name, content] of Object.entries(odd)) {
      writeFileSync(join(scratch, name), content);
      await choose(join(scratch, name));
      const selector = name.endsWith('.json') ? '.note' : '.wrong';
      await page.waitForFunction(
        (where, known) => document.querySelector(where)?.textContent?.includes(known),
        { timeout },
        ...[selector, name.endsWith('.json') ? 'no session' : name],
      );
      const said = (await textOf(selector)).trim();
      expect(said).toMatch(/^[A-Z\w].*\.$/s);
      const sentences = said.split('. ').map((each) => each.replace(/\.$/, ''));
      expect(new Set(sentences).size).toBe(sentences.length);
    }
  });

  it('estimates from a film by keys alone, and its folder gives the same numbers on the command line, to 0.01 standard errors', async () => {
    await choose(film);
    await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
    // Steps through the film, and ends it after the first bounce.
    await page.focus('.stage canvas');
    for (let k = 0; k < 25; k++) await page.keyboard.press('ArrowRight');
    expect(await textOf('.controls output')).toBe('25 / 44');
    await page.focus('.trim button:nth-of-type(2)');
    await page.keyboard.press('Enter');
    // A stroke where nothing moves, and a frame that is left out.
    await page.focus('.brush-panel summary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.brush .handle');
    await page.$eval('.brush .handle', (element) => (element as SVGElement).focus());
    await page.keyboard.down('Shift');
    for (let k = 0; k < 12; k++) await page.keyboard.press('ArrowUp');
    for (const key of ['Enter', 'ArrowLeft', 'Enter'] as const) await page.keyboard.press(key);
    await page.keyboard.up('Shift');
    await page.focus('.brush-panel button:last-of-type');
    await page.keyboard.press('Enter');
    expect(await textOf('.brush-panel summary')).toBe('Brush, 1 stroke, 1 frame left out');
    await page.waitForSelector('.reading');
    await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
    // Without the radius it says what is missing, and goes there.
    await page.focus('#field-fieldOfView');
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-radius');
    await page.keyboard.type('0,1');
    await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
    await page.keyboard.press('Enter');
    await page.waitForSelector('.progress');
    await page.waitForSelector('.answer, form .wrong', { timeout });
    expect(await textOf('.number .name')).toMatch(/^restitution/);
    await page.waitForSelector('.seen-motion .chart svg', { timeout });
    expect(await page.$$('.seen-motion .chart svg')).toHaveLength(12);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    // The model's picture over the right half of the film.
    await page.focus('.wipe-row input');
    for (const key of ['Home', 'PageUp'] as const) await page.keyboard.press(key);
    await page.waitForSelector('canvas.wiped');
    expect(studio.complaints).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(address) && !url.startsWith('blob:'))).toEqual([]);

    const numbers = JSON.parse(Buffer.from(await saved('JSON')).toString()) as Found;
    const { restitution } = numbers.parameters;
    // The truth, in the README beside the film.
    expect(Math.abs(restitution.estimate - 0.72)).toBeLessThan(4 * restitution.standardError!);
    for (const [name, bytes] of Object.entries(unzipSync(await saved('ZIP')))) {
      mkdirSync(dirname(join(scratch, name)), { recursive: true });
      writeFileSync(join(scratch, name), bytes);
    }
    const printed: string[] = [];
    const terminal = { print: (line: string) => printed.push(line), say: () => {}, isInteractive: false };
    const out = ['--out', join(scratch, 'out'), '--json', '--quiet'];
    await runProgram(['estimate', join(scratch, 'ball/ball.ts'), '--device', 'cpu', ...out], terminal);
    // Sine, exponential and others differ in the last bit between versions of V8, so that some later digit differs; a
    // film that is read otherwise, by another colour matrix for one, differs by a third of a standard error.
    for (const [name, { estimate, standardError }] of Object.entries((JSON.parse(printed[0]) as Found).parameters)) {
      const own = numbers.parameters[name];
      if (!standardError || !own.standardError) expect([name, standardError]).toEqual([name, own.standardError]);
      else expect(Math.abs(estimate - own.estimate) / standardError).toBeLessThan(0.01);
    }
  });

  it('finds the camera over an incline from corners that arrow keys drag, without its place in numbers', async () => {
    await choose(slideFilm);
    await page.waitForSelector('input[value=slide]', { timeout });
    await page.focus('input[value=slide]');
    await page.keyboard.press('Space');
    await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
    for (const [name, text] of Object.entries({ size: '0.14, 0.08, 0.1', angle: '25' })) {
      await page.focus(`#field-${name}`);
      await page.keyboard.type(text);
    }
    await page.$eval('#field-fieldOfView', (input) => {
      (input as HTMLInputElement).value = '';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    // Without corners it says so, and goes there.
    await page.focus('form button.main');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      document.querySelector('#field-corners .wrong')?.textContent?.includes('4 corners'),
    );
    for (const [corner, ...to] of CORNERS) {
      const handle = `.handle[data-id="${corner}"]`;
      await page.waitForSelector(handle, { timeout });
      await page.$eval(handle, (element) => (element as SVGElement).focus());
      const at = await page.$eval(`${handle} circle`, (circle) =>
        ['cx', 'cy'].map((name) => Number(circle.getAttribute(name))),
      );
      for (const [k, keys] of [
        ['ArrowLeft', 'ArrowRight'],
        ['ArrowUp', 'ArrowDown'],
      ].entries()) {
        const steps = Math.round((to[k] - at[k]) / 0.5);
        for (let step = 0; step < Math.abs(steps); step++)
          await page.keyboard.press(keys[steps < 0 ? 0 : 1] as 'ArrowUp');
      }
      await page.keyboard.press('Enter');
    }
    expect(await textOf('#field-corners .found')).toMatch(
      /^6 corners placed\. The camera is [\d.]+ m away \(± [\d.]+\)/,
    );
    await page.focus('form button.main');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.answer, form .wrong', { timeout });
    const { friction } = (JSON.parse(Buffer.from(await saved('JSON')).toString()) as Found).parameters;
    expect(friction.standardError).toBeLessThan(0.06);
    expect(Math.abs(friction.estimate - 0.3)).toBeLessThan(2 * friction.standardError!);
    expect(studio.complaints).toEqual([]);
  });

  it('leaves nothing at an address that another program may have next', async () => {
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
  });
});

interface Found {
  readonly parameters: Readonly<Record<string, { readonly estimate: number; readonly standardError: number | null }>>;
}
