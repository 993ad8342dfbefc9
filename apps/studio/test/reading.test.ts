// What a person does before a film has been read, and films that cannot be used.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evenTimes, filmed } from '../../../packages/kinds/test/support/films.ts';
import { chromium, type OpenStudio, openStudio, PHONE, timeout } from './support/open.ts';

if (!chromium) console.warn('SKIPPED, NOT TESTED: reading films in the studio. It takes Chromium.');

describe.skipIf(!chromium)('while a film is read', () => {
  let studio: OpenStudio;
  let page: Page;
  beforeAll(async () => {
    studio = await openStudio();
    ({ page } = studio);
  });
  afterAll(() => studio?.close());
  const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '');
  const drop = async (name: string, content: Uint8Array): Promise<void> => {
    const file = join(studio.scratch, name);
    writeFileSync(file, content);
    await page.goto(studio.address);
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(file);
  };
  const BUTTON = 'form > button.main';

  it('says that nothing moves, or that it is no film, in words for a page, and offers nothing to press', async () => {
    await drop('still.webm', await filmed(evenTimes(1), { radius: 9, at: () => [160, 120] }));
    await page.waitForSelector('main > .wrong', { timeout });
    expect(await textOf('main > .wrong')).toMatch(/^Nothing moves in frames 0 to 30 of still\.webm/);
    expect(await page.$(BUTTON)).toBeNull();
    await drop(
      'garbage.mp4',
      Uint8Array.from({ length: 2000 }, (_, k) => (k * 7919) % 251),
    );
    await page.waitForSelector('main > .wrong', { timeout });
    const told = await textOf('main > .wrong');
    expect(told).toContain('garbage.mp4 is not a video');
    expect(told).not.toContain('ffmpeg');
  });

  it('keeps a press until it is done, asks about centimetres before anything runs, and shows the answer', async () => {
    const at = (t: number): [number, number] => [40 + 200 * t, 190 - 200 * (3.4 * t - (9.81 * t * t) / 2)];
    await drop('throw.webm', await filmed(evenTimes(0.7), { radius: 9, at }));
    await page.waitForSelector('input[name=kind][value="track only"]', { timeout });
    await page.$eval('input[name=kind][value="track only"]', (own) => (own as HTMLInputElement).click());
    await page.type('#field-size', '9');
    await page.waitForSelector('#field-size-remark');
    await page.$eval(BUTTON, (own) => (own as HTMLElement).click());
    expect(await textOf('.note')).toContain('Look at the question below');
    expect(await textOf('#field-size-remark')).toContain('9 cm');
    await page.$eval('#field-size', (own) => (own as HTMLInputElement).select());
    await page.keyboard.type('0.09');
    await page.$eval(BUTTON, (own) => (own as HTMLElement).click());
    await page.waitForSelector('.answer.tracked', { timeout });
    const top = await page.$eval('#answer-title', (element) => element.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(PHONE.height / 2);
  });
});
