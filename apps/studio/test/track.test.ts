// Following without a model in the studio: at the size of a phone and by touch, with the numbers of `gradsim track`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../packages/gradsim/src/program.ts';
import { evenTimes, filmed } from '../../../packages/kinds/test/support/films.ts';
import { isTurnOf } from '../../../scripts/vitest/draws.ts';
import { clicksOf, settingsOf } from '../src/track/settings.ts';
import { chromium, type OpenStudio, openStudio, PHONE, timeout } from './support/open.ts';

if (!chromium) console.warn('SKIPPED, NOT TESTED: following in the studio. It takes Chromium.');

/** Scale of the film, px/m, and true gravity, m/s². */
const [PIXELS, G] = [200, 9.81];
/** Marked ends, px, 1 m apart. */
const ENDS = [60, 220, 260, 220] as const;
const FIT = 'y = a t^2 + b t + c';

interface Told {
  readonly fits: readonly {
    readonly parameters: Readonly<Record<string, { readonly value: number; readonly standardError: number }>>;
  }[];
  readonly points: readonly { readonly isMark: boolean }[];
}

// Each test goes on from the one before.
if (isTurnOf('following in the studio'))
  describe.skipIf(!chromium)('following in the studio', () => {
    let studio: OpenStudio;
    let scratch: string;
    let page: Page;
    let film: string;

    beforeAll(async () => {
      studio = await openStudio({ ...PHONE, hasTouch: true, isMobile: true });
      ({ page, scratch } = studio);
      film = join(scratch, 'throw.webm');
      const at = (t: number): [number, number] => [40 + 300 * t, 190 - PIXELS * (3.4 * t - (G * t * t) / 2)];
      writeFileSync(film, await filmed(evenTimes(0.7), { radius: 9, at }));
      await page.goto(studio.address);
      await page.waitForSelector('.drop button');
    });
    afterAll(() => studio?.close());

    let interactions = 0;
    const tap = async (selector: string): Promise<void> => {
      interactions++;
      await page.$eval(selector, (element) => element.scrollIntoView({ block: 'center' }));
      await (await page.$(selector))!.tap();
    };
    /** Taps on the film at a place, px of its pictures. */
    const tapFilm = async (x: number, y: number): Promise<void> => {
      interactions++;
      await page.$eval('.stage', (element) => element.scrollIntoView({ block: 'center' }));
      const [left, top] = await page.$eval(
        '.handles',
        (svg, px, py) => {
          const { x: a, y: b } = new DOMPoint(px, py).matrixTransform((svg as SVGSVGElement).getScreenCTM()!);
          return [a, b];
        },
        x,
        y,
      );
      await page.touchscreen.tap(left, top);
    };
    const type = async (selector: string, text: string, isSent = false): Promise<void> => {
      interactions++;
      await page.focus(selector);
      await page.keyboard.type(text);
      if (isSent) await page.keyboard.press('Enter');
    };
    const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '');
    const saved = (button: string): Promise<string> =>
      page.evaluate(async (label) => {
        const blob = await new Promise<Blob>((resolve) => {
          URL.createObjectURL = (content) => {
            resolve(content as Blob);
            return '#';
          };
          const buttons = [...document.querySelectorAll<HTMLButtonElement>('.downloads button')];
          buttons.find(({ textContent }) => textContent?.includes(label))!.click();
        });
        return blob.text();
      }, button);
    /** Numbers of the command, with the ends that the page has. */
    const command = async (ends: readonly number[], ...more: string[]): Promise<Told> => {
      const printed: string[] = [];
      const terminal = { print: (line: string) => printed.push(line), say: () => {}, isInteractive: false };
      const out = ['--json', '--force', '--out', join(scratch, 'out')];
      const args = ['track', film, '--length', '1', '--between', ends.join(','), '--fit', FIT, ...more, ...out];
      expect(await runProgram(args, terminal)).toBe(0);
      return JSON.parse(printed[0]);
    };
    const endsOfPage = async (): Promise<number[]> => {
      const { fields } = JSON.parse(await saved('Session')) as { fields: Record<string, string> };
      return fields.ends.split(',').map(Number);
    };

    it('takes at most eight touches from the film to a fitted formula, which is that of the command', async () => {
      interactions = 1;
      await ((await page.$('input[type=file]')) as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
        film,
      );
      await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
      await tap('.kind:has(input[value="track only"])');
      await tapFilm(ENDS[0], ENDS[1]);
      await tapFilm(ENDS[2], ENDS[3]);
      await type('#field-span', '100 cm');
      if (process.env.SCREENS) await page.screenshot({ path: `${process.env.SCREENS}/track-form.png`, fullPage: true });
      await tap('form button.main');
      await page.waitForSelector('#formula', { timeout });
      await type('#formula', FIT, true);
      await page.waitForSelector('.fit .chart', { timeout });
      expect(interactions).toBeLessThanOrEqual(8);
      if (process.env.SCREENS) {
        await page.setViewport({ ...PHONE, width: 1280, height: 900 });
        await page.screenshot({ path: `${process.env.SCREENS}/track-desk.png`, fullPage: true });
        await page.setViewport(PHONE);
      }
      if (process.env.SCREENS)
        await page.screenshot({ path: `${process.env.SCREENS}/track-phone.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
      const told = JSON.parse(await saved('JSON')) as Told;
      const { a } = told.fits[0].parameters;
      console.info(`a is ${a.value} ± ${a.standardError}`);
      expect(Math.abs(a.value + G / 2)).toBeLessThan(4 * Math.hypot(a.standardError, 0.01 * a.value));
      const ends = await endsOfPage();
      for (const [k, end] of ends.entries()) expect(Math.abs(end - ENDS[k])).toBeLessThan(1);
      const same = (await command(ends)).fits[0].parameters;
      for (const [name, { value, standardError }] of Object.entries(told.fits[0].parameters)) {
        // Engines round sines and roots differently.
        expect(Math.abs(value - same[name].value) / standardError).toBeLessThan(0.001);
        expect(standardError / same[name].standardError).toBeCloseTo(1, 5);
      }
      expect((await saved('CSV')).split('\n')[0]).toMatch(/^frame,t \[s\],px \[pixels\]/);
      expect(await saved('Tracker')).toContain('<property name="path" type="string">throw.webm</property>');
      expect(await page.$$('.motion .chart svg')).toHaveLength(8);
      // A value is read off by a touch.
      await tap('.motion .chart svg');
      expect(await textOf('.motion .read-off')).toMatch(/^x m at [\d.]+: -?[\d.]+ ± [\d.]+$/);
      expect(await page.$$('.numbers tbody tr')).toHaveLength(told.points.length);
      expect(studio.complaints).toEqual([]);
    });

    it('says what is wrong with a formula, and keeps the rest', async () => {
      await page.$eval('#formula', (input) => {
        (input as HTMLInputElement).value = '';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await type('#formula', 'y = a t +', true);
      await page.waitForSelector('.formulas .wrong');
      expect(await textOf('.formulas .wrong')).toMatch(/^"y = a t \+": it ends where a number/);
      expect(await page.$$('.motion .chart svg')).toHaveLength(8);
    });

    it('takes clicks on the thing, frame by frame, in place of what it follows', async () => {
      await tap('.back');
      await page.waitForSelector('input[value=thing]');
      await tap('label:has(input[value=thing])');
      const at = (frame: number): [number, number] => [
        40 + (300 * frame) / 30,
        190 - PIXELS * ((3.4 * frame) / 30 - (G * (frame / 30) ** 2) / 2),
      ];
      await page.$eval('.controls input', (input) => {
        (input as HTMLInputElement).value = '3';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      for (const frame of [3, 4, 5]) {
        await page.waitForFunction(
          (k) => document.querySelector('.controls output')?.textContent?.startsWith(`${k} /`),
          {},
          frame,
        );
        await tapFilm(...at(frame));
      }
      expect(await textOf('.camera .found')).toContain('3 frames are marked');
      await tap('form button.main');
      await page.waitForSelector('#formula', { timeout });
      await page.$eval('#formula', (input) => {
        (input as HTMLInputElement).value = '';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await type('#formula', FIT, true);
      await page.waitForSelector('.fit .chart', { timeout });
      const told = JSON.parse(await saved('JSON')) as Told;
      expect(told.points.filter(({ isMark }) => isMark)).toHaveLength(3);
      const { fields } = JSON.parse(await saved('Session')) as { fields: Record<string, string> };
      const marks = join(scratch, 'marks.csv');
      const rows = clicksOf(fields.marks.split(',').map(Number)).map(({ frame, x, y }) => `${frame},${x},${y}\n`);
      writeFileSync(marks, `frame,x,y\n${rows.join('')}`);
      const same = (await command(await endsOfPage(), '--marks', marks)).fits[0].parameters;
      for (const [name, { value, standardError }] of Object.entries(told.fits[0].parameters))
        expect(Math.abs(value - same[name].value) / standardError).toBeLessThan(0.001);
      expect(readFileSync(join(scratch, 'out', 'track.html'), 'utf8')).toContain('The motion');
      expect(studio.complaints).toEqual([]);
    });
  });

it('starts of parameters are numbers by name', () => {
  const values = {
    fit: 'y = sin(w t); vy = g t',
    start: 'w = 6,5; p=-1e-2',
    lengthTolerance: 0.01,
    axis: 0,
    gravity: 9.81,
  };
  const settings = settingsOf('a.mp4', { ...values, ends: null, track: null, marks: null });
  expect(settings.fit).toEqual(['y = sin(w t)', 'vy = g t']);
  expect(settings.start).toEqual({ w: 6.5, p: -0.01 });
  expect(() => settingsOf('a.mp4', { ...values, start: 'w: 6', ends: null, track: null })).toThrow(
    '"w: 6" is no start',
  );
});
