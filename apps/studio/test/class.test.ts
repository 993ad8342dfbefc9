// A class in the studio: a teacher's link, films with a sheet of what each group measured, and what they agree on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELD_OF_VIEW, filmed, G, pathInAir, RADIUS, RATE } from '../../../packages/kinds/test/support/drawn-ball.ts';
import { isTurnOf } from '../../../scripts/vitest/draws.ts';
import { membersOf } from '../src/class/members.ts';
import { chromium, type OpenStudio, openStudio, PHONE, timeout } from './support/open.ts';

if (!chromium) console.warn('SKIPPED, NOT TESTED: a class in the studio. It takes Chromium.');
const TIMES = Array.from({ length: 19 }, (_, k) => k / RATE);

/** Speeds at which groups throw, m/s: to the right and upwards. */
const THROWS = { anna: [1.1, 3.2], bela: [0.9, 3.0], chris: [1.3, 3.4], dana: [1, 3.1], eva: [1.2, 3.3] } as const;
/** Texts of the sheet's cells: dana typed the diameter, and eva no length. */
const CELLS = {
  anna: RADIUS * 100,
  bela: RADIUS * 100,
  chris: `${RADIUS * 1000} mm`,
  dana: RADIUS * 200,
  eva: '10 kg',
};

if (isTurnOf('a class in the studio'))
  describe.skipIf(!chromium)('a class in the studio, at the size of a phone', () => {
    let studio: OpenStudio;
    let scratch: string;
    let address: string;
    let page: Page;
    const files: string[] = [];

    beforeAll(async () => {
      studio = await openStudio();
      ({ page, address, scratch } = studio);
      for (const [name, velocity] of Object.entries(THROWS)) {
        const film = await filmed(TIMES, pathInAir(0, { height: 0.2, velocity: [...velocity] }, 0.6));
        files.push(join(scratch, `${name}.webm`));
        writeFileSync(files.at(-1)!, film as Uint8Array);
      }
      const lines = Object.entries(CELLS).map(([name, radius]) => `${name};${name}.webm;${radius}`);
      files.push(join(scratch, 'class.csv'));
      writeFileSync(files.at(-1)!, ['group;film;radius [cm]', ...lines, 'finn;finn.webm;5', ''].join('\n'));
    });
    afterAll(() => studio?.close());

    const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '');
    const rows = (): Promise<string[]> =>
      page.$$eval('.class tbody tr', (all) => all.map(({ textContent }) => textContent ?? ''));
    const drop = async (...paths: string[]): Promise<void> =>
      ((await page.$('input[type=file]')) as unknown as { uploadFile(...all: string[]): Promise<void> }).uploadFile(
        ...paths,
      );
    const fields = { fieldOfView: String(FIELD_OF_VIEW), chroma: 'centre', lengthTolerance: '0', angleTolerance: '0' };

    it('opens by a link with the kind and what is entered, and refuses one that is broken in a sentence', async () => {
      await page.goto(`${address}#template=juggle`);
      await page.waitForSelector('.note');
      expect(await textOf('.note')).toMatch(/^This is no session of the studio: it has the kind/);
      await page.goto('about:blank');
      await page.goto(`${address}#template=flight&${new URLSearchParams(fields)}`);
      await page.waitForSelector('.note');
      expect(await textOf('.note')).toBe('The template is open: drop your film.');
    });

    it('takes films and a sheet at once, says which line is wrong or has no film, and what the others agree on', async () => {
      await drop(...files);
      await page.waitForSelector('.class');
      expect(await textOf('#class-title')).toBe('A class of 5 films, by class.csv');
      expect(await textOf('.class .question')).toContain('finn.webm: not here yet');
      await page.waitForSelector('.class button.main:not([disabled])', { timeout });
      expect(await textOf('.kind.chosen span')).toBe('A ball falls or flies');
      // The link of what is entered is the one that opened the page.
      await page.waitForSelector('.template summary', { timeout });
      await page.$eval('.template summary', (element) => (element as HTMLElement).click());
      await page.$eval('.template button', (element) => element.click());
      const link = await page.$eval('.template input', (element) => element.value);
      const { template, ...entered } = Object.fromEntries(new URLSearchParams(link.split('#')[1]));
      expect({ template, ...entered }).toEqual({ template: 'flight', ...fields });
      await page.$eval('.class button.main', (element) => element.click());
      await page.waitForSelector('.class-buttons progress');
      await page.waitForSelector('.class button.main', { timeout });
      const [anna, bela, chris, dana, eva] = await rows();
      for (const row of [anna, bela, chris]) expect(row).toMatch(/± .* m\/s².*yes$/);
      expect(dana).toContain('Not to be trusted');
      expect(eva).toContain('Radius');
      const told = await textOf('.agreement');
      console.info(told);
      const [, mean, error] = /^gravity: ([\d.]+) ± ([\d.]+) m\/s² of 3; they differ by [\d.]+ times/.exec(told)!;
      expect(Math.abs(Number(mean) - G)).toBeLessThan(4 * Number(error));
      expect(await textOf('.class')).toContain('Not to be trusted, and left out: dana.');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      if (process.env.SCREENS)
        await page.screenshot({ path: `${process.env.SCREENS}/class-phone.png`, fullPage: true });
      const csv = await page.evaluate(async () => {
        const blob = await new Promise<Blob>((resolve) => {
          URL.createObjectURL = (content) => {
            resolve(content as Blob);
            return '#';
          };
          [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Table (CSV)')!.click();
        });
        return blob.text();
      });
      expect(csv.split('\n')[0]).toMatch(/^group,film,status,trusted,gravity,standard error of gravity/);
      expect(csv.split('\n')[1]).toMatch(/^anna,anna.webm,done,true,\d/);
      // The answer of a group, with its film.
      await page.$eval('.class tbody tr:nth-child(2) button', (element) => element.click());
      await page.waitForSelector('.answer .number', { timeout });
      expect(await textOf('.number .name')).toMatch(/^gravity/);
      await page.waitForFunction(() => document.querySelector('.player')?.getAttribute('aria-label') === 'bela.webm', {
        timeout,
      });
      expect(studio.complaints).toEqual([]);
    });
  });

it('films of a sheet are in its order, others behind, and lines without a film are told', () => {
  const file = (name: string): File => new File([], name);
  const line = (at: number, video: string, group?: string) => ({ line: at, group, own: { video, radius: '4 cm' } });
  const lines = [line(2, 'films/B.mp4', 'bela'), line(3, 'c.mp4'), line(4, 'a.mp4')];
  const { members, absent } = membersOf(['a.mp4', 'b.mp4', 'd.mp4'].map(file), lines);
  expect(members.map(({ group, row }) => [group, row.radius])).toEqual([
    ['bela', '4 cm'],
    ['a.mp4', '4 cm'],
    ['d.mp4', undefined],
  ]);
  expect(absent).toEqual([lines[1]]);
});
