// The studio, a demo of the gallery and the program of the first guide in Firefox and in WebKit, the engine of Safari.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTurnOf } from '../../../scripts/draws.ts';
import { type Served, serve } from './support/serve.ts';
import { hasWebKit, WebKit } from './support/webkit.ts';

/** Browser as these tests use it. */
interface Visitor {
  goto(url: string): Promise<unknown>;
  /** Value of a script's `return` in the page. */
  run(script: string): Promise<unknown>;
  close(): Promise<void>;
}

const firefoxFile = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
const OPENERS: readonly (readonly [string, boolean, () => Promise<Visitor>])[] = [
  [
    'Firefox',
    firefoxFile !== undefined,
    async () => {
      const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefoxFile! });
      const page = await browser.newPage();
      return {
        goto: (url) => page.goto(url),
        run: (script) => page.evaluate(`(() => { ${script} })()`),
        close: () => browser.close(),
      };
    },
  ],
  ['WebKit', hasWebKit, () => WebKit.open()],
];

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

if (isTurnOf('site in other browsers'))
  describe('the site in other browsers', () => {
    let folder: string;
    let served: Served;
    let origin: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'gradsim-browsers-'));
      if (!isBuilt) return;
      const options = ['--out', folder, '--only', 'apps/site/src/pages/gallery,docs/guide/start'];
      await promisify(execFile)(process.execPath, [join(here, 'src/build/site.js'), ...options]);
      served = await serve(folder, '/');
      origin = `http://127.0.0.1:${served.port}/`;
    });
    afterAll(() => {
      served?.server.closeAllConnections();
      served?.server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    describe.each(OPENERS)('%s', (_, isThere, open) => {
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
          const before = await visitor.run(`return document.querySelector('.demo .output strong').textContent;`);
          // As a driver without pointers does: what a key and a finger send.
          await visitor.run(
            `const slider = document.querySelector('#slider-0');
           slider.focus();
           slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
           slider.value = Number(slider.value) + 150;
           slider.dispatchEvent(new Event('input', { bubbles: true }));`,
          );
          await until(
            visitor,
            `${NO_PROBLEM} return document.querySelector('.demo .output strong').textContent !== ${JSON.stringify(before)};`,
          );
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

      it.skipIf(!isThere || !isBuilt)('shows the studio', async () => {
        await visitor.goto(`${origin}studio/`);
        const buttons = await until(
          visitor,
          `const all = [...document.querySelectorAll('#studio button')].map((each) => each.textContent.trim());
           return all.length > 0 && all;`,
        );
        expect(buttons).not.toEqual([]);
        expect(await visitor.run(`return !!document.querySelector('#studio input[type=file]');`)).toBe(true);
      });
    });
  });
