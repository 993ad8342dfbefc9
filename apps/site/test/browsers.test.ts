// The first page, the program of the first guide, a demo of the gallery, and the studio from a film to its number, in Chromium,
// in Firefox and in WebKit, the engine of Safari.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { encodeFrames, readFrames } from 'gradsim/video';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filmed } from '../../../packages/kinds/test/support/films.ts';
import { findChromium } from '../../../scripts/chromium.js';
import { drawn, isTurnOf } from '../../../scripts/vitest/draws.ts';
import { type Served, serve } from './support/serve.ts';
import { hasWebKit, WebKit } from './support/webkit.ts';

/** Browser as these tests use it. */
interface Visitor {
  goto(url: string): Promise<unknown>;
  /** Value of a script's `return` in the page. */
  run(script: string): Promise<unknown>;
  /** Presses the key with an arrow to the right. */
  pressRight(): Promise<unknown>;
  /** Puts a finger on a point of the page, px; undefined where a driver has none. */
  readonly tap?: (x: number, y: number) => Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a page of a browser that puppeteer drives. */
async function opened(browser: 'chrome' | 'firefox', executablePath: string): Promise<Visitor> {
  const args = browser === 'chrome' ? ['--no-sandbox', '--disable-dev-shm-usage'] : [];
  const started = await puppeteer.launch({ browser, executablePath, args, protocolTimeout: 0 });
  const page = await started.newPage();
  page.setDefaultTimeout(0);
  return {
    goto: (url) => page.goto(url),
    run: (script) => page.evaluate(`(() => { ${script} })()`),
    pressRight: () => page.keyboard.press('ArrowRight'),
    tap: (x, y) => page.touchscreen.tap(x, y),
    close: () => started.close(),
  };
}

const chromium = findChromium();
const firefoxFile = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
const OPENERS: readonly (readonly [string, boolean, () => Promise<Visitor>])[] = [
  ['Chromium', chromium !== undefined, () => opened('chrome', chromium!)],
  ['Firefox', firefoxFile !== undefined, () => opened('firefox', firefoxFile!)],
  ['WebKit', hasWebKit, () => WebKit.open()],
];

/** A ball that falls: its radius, m, the scale at the ball, px/m, gravity, m/s², and times of the film's pictures, s. */
const [RADIUS, PIXELS, G, TIMES] = [0.08, 150, 9.81, Array.from({ length: 14 }, (_, k) => k / 25)];

/** Writes a film of a ball that falls as WebM and as GIF, for which a browser needs no decoder. */
async function writeFilms(folder: string): Promise<void> {
  const at = (t: number): [number, number] => [60 + 120 * t, 20 + (PIXELS * G * t * t) / 2];
  const webm = await filmed(TIMES, { radius: RADIUS * PIXELS, at });
  writeFileSync(join(folder, 'fall.webm'), webm);
  const frames = await readFrames(webm, { chroma: 'centre' });
  writeFileSync(join(folder, 'fall.gif'), await encodeFrames({ ...frames, frameRate: 25, times: undefined }, 'gif'));
}

const here = fileURLToPath(new URL('..', import.meta.url));
const isBuilt = existsSync(join(here, 'dist/lib')) && existsSync(join(here, '../studio/dist'));
for (const [name, isThere] of OPENERS)
  if (!isThere || !isBuilt) console.warn(`SKIPPED, NOT TESTED: the site in ${name}. It takes ${name}, and a build.`);

/** Waits until a script's `return` is neither undefined, null nor false, and returns that. */
async function until(visitor: Visitor, script: string): Promise<unknown> {
  for (;;) {
    const value = await visitor.run(script);
    if (value !== undefined && value !== null && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Script that fails where a demo has a problem. */
const NO_PROBLEM = `const problem = document.querySelector('.demo .problem'); if (problem) throw new Error(problem.textContent);`;

/** Message of the studio that something is wrong. */
const WRONG = `return document.querySelector('.wrong')?.textContent`;
/** Script that drops a file of the site on the studio, as a hand would. */
const DROP = `
  fetch('/FILE').then((response) => response.blob()).then((blob) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([blob], 'FILE', { type: blob.type }));
    for (const type of ['dragover', 'drop'])
      document.querySelector('.drop').dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  });`;
/** Script that writes into fields of the studio. */
const FILL = `
  for (const [name, value] of Object.entries(FIELDS)) {
    const field = document.querySelector('#field-' + name);
    if (!field) continue;
    field.focus();
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
  }`;

if (isTurnOf('site in three browsers'))
  describe('the site in three browsers', () => {
    let folder: string;
    let served: Served;
    let origin: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'gradsim-browsers-'));
      if (!isBuilt) return;
      const options = [
        '--out',
        folder,
        '--only',
        'apps/site/src/pages/gallery,apps/site/src/pages/index,docs/guide/start',
      ];
      await promisify(execFile)(process.execPath, [join(here, 'src/build/site.js'), ...options]);
      await writeFilms(folder);
      served = await serve(folder, '/');
      origin = `http://127.0.0.1:${served.port}/`;
    });
    afterAll(() => {
      served?.server.closeAllConnections();
      served?.server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    describe.each(drawn(OPENERS, 1))('%s', (name, isThere, open) => {
      let visitor: Visitor;
      beforeAll(async () => {
        if (isThere && isBuilt) visitor = await open();
      });
      afterAll(() => visitor?.close());

      it.skipIf(!isThere || !isBuilt)(
        'runs the program of the first guide, which prints what the guide says',
        async () => {
          await visitor.goto(`${origin}guide/start`);
          await until(visitor, `return document.querySelector('.snippet button')`.replace('return', 'return !!'));
          await visitor.run(`document.querySelector('.snippet button').click()`);
          const printed = await until(
            visitor,
            `const text = document.querySelector('.snippet pre').textContent;
           return !document.querySelector('.snippet button').disabled && text.trim();`,
          );
          const said = await visitor.run(
            `return [...document.querySelectorAll('.vp-doc div[class*=language] code')]
             .map((each) => each.textContent.trim()).find((text) => text.startsWith('position after'));`,
          );
          expect(printed).toBe(said);
        },
      );

      it.skipIf(!isThere || !isBuilt)(
        'plays a demo, which a slider moves, by keys and by touch, and checks its gradient',
        async () => {
          await visitor.goto(`${origin}gallery#toss`);
          await until(
            visitor,
            `${NO_PROBLEM} return !!document.querySelector('.demo[data-demo=toss][data-ready=true]');`,
          );
          const value = (): Promise<unknown> =>
            visitor.run(`return Number(document.querySelector('#slider-0').value);`);
          const output = (): Promise<unknown> =>
            visitor.run(`return document.querySelector('.demo .output strong').textContent;`);
          const changedFrom = (before: unknown): Promise<unknown> =>
            until(
              visitor,
              `${NO_PROBLEM} return document.querySelector('.demo .output strong').textContent !== ${JSON.stringify(before)};`,
            );
          let before = await output();
          const place = (await value()) as number;
          await visitor.run(
            `const slider = document.querySelector('#slider-0'); slider.scrollIntoView({ block: 'center' }); slider.focus();`,
          );
          for (let k = 0; k < 60; k++) await visitor.pressRight();
          await changedFrom(before);
          expect(await value()).toBe(place + 60);
          // A finger at nine tenths; where a driver has none, what it would send.
          before = await output();
          const [x, y] = (await visitor.run(
            `const { left, top, width, height } = document.querySelector('#slider-0').getBoundingClientRect();
           return [left + 0.9 * width, top + height / 2];`,
          )) as [number, number];
          if (visitor.tap) await visitor.tap(x, y);
          else
            await visitor.run(
              `const slider = document.querySelector('#slider-0');
             const send = (type) => slider.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', bubbles: true, clientX: ${x}, clientY: ${y} }));
             send('pointerdown');
             slider.value = 900;
             slider.dispatchEvent(new Event('input', { bubbles: true }));
             send('pointerup');`,
            );
          await changedFrom(before);
          expect(Math.abs(((await value()) as number) - 900)).toBeLessThan(30);
          await visitor.run(
            `const button = [...document.querySelectorAll('.demo button')].find((each) => each.textContent.includes('Check'));
           for (const type of ['pointerdown', 'pointerup'])
             button.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', bubbles: true }));
           button.click();`,
          );
          const checks = (await until(
            visitor,
            `${NO_PROBLEM} const all = [...document.querySelectorAll('.demo .check')].map((each) => each.textContent);
           return all.length > 0 && all;`,
          )) as string[];
          for (const text of checks) {
            const [gradient, difference] = text.match(/-?[\d.]+(?:e[-+]\d+)?/g)!.map(Number);
            expect(Math.abs(gradient - difference), text).toBeLessThan(1e-3 * (1 + Math.abs(gradient)));
          }
        },
      );

      it.skipIf(!isThere || !isBuilt)('solves the film of the first page', async () => {
        await visitor.goto(origin);
        const status = await until(
          visitor,
          `return document.querySelector('.solve[data-done=true] [role=status]')?.textContent;`,
        );
        expect(status).toMatch(/^(?:Trusted|Not to be trusted)/);
        const rows = (await visitor.run(
          `return [...document.querySelectorAll('.solve tbody tr')]
           .map((row) => [...row.children].slice(1).map((cell) => parseFloat(cell.textContent)));`,
        )) as [number, number][];
        expect(rows).toHaveLength(4);
        for (const [estimate, truth] of rows)
          expect(Math.abs(estimate - truth)).toBeLessThan(0.02 * Math.max(1, Math.abs(truth)));
      });

      it.skipIf(!isThere || !isBuilt)('estimates from a film that is dropped on the studio', async () => {
        for (const [file, isNeeded] of [
          ['fall.webm', false],
          ['fall.gif', true],
        ] as const) {
          await visitor.goto(`${origin}studio/`);
          await until(visitor, `return !!document.querySelector('.drop');`);
          await visitor.run(DROP.replaceAll('FILE', file));
          const first = await until(
            visitor,
            `${WRONG} || !!document.querySelector('form button.main:not([aria-busy=true])');`,
          );
          if (first !== true) {
            // Without a decoder the studio says what it takes instead.
            expect(first).toMatch(/GIF/);
            expect(isNeeded).toBe(false);
            console.info(`${name}: ${first}`);
            continue;
          }
          await visitor.run(`document.querySelector('input[value=flight]').click();`);
          const fields = { radius: RADIUS, fieldOfView: 40, ...(file === 'fall.webm' ? { chroma: 'centre' } : {}) };
          await visitor.run(FILL.replace('FIELDS', JSON.stringify(fields)));
          await until(visitor, `return !!document.querySelector('form button.main:not([aria-busy=true])');`);
          await visitor.run(`document.querySelector('form button.main').click();`);
          const shown = await until(
            visitor,
            `${WRONG} || document.querySelector('.answer .number .value')?.textContent;`,
          );
          const [estimate, error] = String(shown).split('±').map(Number.parseFloat);
          console.info(`${name}, ${file}: ${shown}`);
          expect(Math.abs(estimate - G), String(shown)).toBeLessThan(4 * error);
        }
      });
    });
  });
