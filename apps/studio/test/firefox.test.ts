import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStudio } from '../../../packages/gradsim/src/studio/serve.ts';

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
const film = fileURLToPath(new URL('../../../../shared/data/films/bounce.mp4', import.meta.url));
const folder = fileURLToPath(new URL('../dist', import.meta.url));
const isPossible = firefox !== undefined && existsSync(film);
if (!isPossible) console.warn('SKIPPED, NOT TESTED: the studio in Firefox. It takes Firefox and ../shared/data/films.');

/** Time limit of a step on a busy machine, ms. */
const timeout = 300_000;

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

  it('estimates from a film of which the first bounce is chosen', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
    const input = await page.waitForSelector('input[type=file]');
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(film);
    await page.waitForSelector('form button.main:not([disabled])', { timeout });
    await page.focus('.stage canvas');
    for (let k = 0; k < 25; k++) await page.keyboard.press('ArrowRight');
    await page.click('.trim button:nth-of-type(2)');
    for (const [name, text] of Object.entries({ radius: '0.1', fieldOfView: '40' })) {
      await page.focus(`#field-${name}`);
      await page.keyboard.type(text);
    }
    await page.waitForSelector('form button.main:not([disabled])', { timeout });
    await page.click('form button.main');
    await page.waitForSelector('.answer, form .wrong', { timeout });
    const text = await page.$eval('.number .value', (value) => value.textContent ?? '');
    const [estimate, error] = text.split('±').map(Number);
    // The truth, in the README beside the film.
    expect(Math.abs(estimate - 0.72), text).toBeLessThan(4 * error);
    expect(complaints).toEqual([]);
  });
});
