import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStudio } from '../../../packages/gradsim/src/studio/serve.ts';
import { isTurnOf } from '../../../scripts/vitest/draws.ts';

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
const film = fileURLToPath(new URL('../../../../shared/data/films/bounce.mp4', import.meta.url));
const folder = fileURLToPath(new URL('../dist', import.meta.url));
const isPossible = firefox !== undefined && existsSync(film);
if (!isPossible) console.warn('SKIPPED, NOT TESTED: the studio in Firefox. It takes Firefox and ../shared/data/films.');

/** Ends of a metre in the plane of the first bounce, by the README beside the film, px. */
const ENDS = [
  [88.5, 165.9],
  [190.3, 165.9],
] as const;
/** Time limit of a step on a busy machine, ms. */
const timeout = 150_000;

if (isTurnOf('studio in Firefox'))
  describe.skipIf(!isPossible)('the studio in Firefox', () => {
    let browser: Browser;
    let server: Server;
    let address: string;
    beforeAll(async () => {
      ({ server, address } = await serveStudio({ folder }, 0));
      browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox! });
    });
    afterAll(async () => {
      await browser?.close();
      server?.close();
      server?.closeAllConnections();
    });

    it('estimates from a film of which the first bounce is chosen, by two clicks and a length', async () => {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(address);
      const input = await page.waitForSelector('input[type=file]');
      await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(film);
      await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
      await page.focus('.stage canvas');
      for (let k = 0; k < 25; k++) await page.keyboard.press('ArrowRight');
      await page.click('.trim button:nth-of-type(2)');
      // Two clicks on the ends of a metre where the ball bounces first, instead of its radius.
      await page.click('#field-ends summary');
      for (const end of ENDS) {
        const at = await page.$eval(
          '.handles',
          (handles, [x, y]) => {
            handles.scrollIntoView({ block: 'center' });
            const { x: left, y: top } = new DOMPoint(x, y).matrixTransform((handles as SVGSVGElement).getScreenCTM()!);
            return [left, top] as const;
          },
          end,
        );
        await page.mouse.click(...at);
      }
      for (const [name, text] of Object.entries({ span: '1', fieldOfView: '40' })) {
        await page.focus(`#field-${name}`);
        await page.keyboard.type(text);
      }
      // The button is disabled again for a moment while a busy page takes in what was typed, and drops a key then.
      for (const end = Date.now() + timeout; !(await page.$('.answer, .wrong')) && Date.now() < end; ) {
        const button = await page.$('form button.main:not([aria-busy=true])');
        await button?.focus();
        if (button) await page.keyboard.press('Enter');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      const value = await page.$('.number .value');
      if (!value)
        throw new Error(`No answer; the page says: ${await page.$eval('body', ({ textContent }) => textContent)}`);
      const text = await value.evaluate(({ textContent }) => textContent ?? '');
      const [estimate, error] = text.split('±').map(Number);
      // The truth, in the README beside the film.
      expect(Math.abs(estimate - 0.72), text).toBeLessThan(4 * error);
      expect(complaints).toEqual([]);
    });
  });
