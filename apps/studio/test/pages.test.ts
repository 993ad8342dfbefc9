// Scripts of the command's pages, in a browser: the page of a study, and the player of a report.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html, htmlPage } from '../../../packages/gradsim/src/components/index.ts';
import { pageScript } from '../../../packages/gradsim/src/report/assets.ts';
import { contactSheet, type Three } from '../../../packages/gradsim/src/report/comparison.ts';
import { player } from '../../../packages/gradsim/src/report/player.ts';
import type { Column, PageData } from '../../../packages/gradsim/src/study/page/data.ts';
import { studyPage } from '../../../packages/gradsim/src/study/page/page.ts';
import { findChromium } from '../../../scripts/chromium.js';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: scripts of pages. It takes Chromium.');

const MASSES = Array.from({ length: 200 }, (_, k) => (k + 1) / 4);
const isLost = (_: unknown, k: number): boolean => k % 50 === 7;
const column = (name: string, of: Column['of'], cell: (mass: number) => number): Column => ({
  name,
  of,
  cells: MASSES.map((mass, k) => (isLost(mass, k) && of !== 'setting' ? null : cell(mass))),
});

/** Study of 200 masses, of which four are lost; the standard errors that the others claim are those that they have. */
const STUDY: PageData = {
  studies: [{ name: 'masses', asked: MASSES.length }],
  ids: MASSES.map((mass) => `id-${mass}`),
  study: MASSES.map(() => 0),
  status: MASSES.map((mass, k) => (isLost(mass, k) ? 'error' : 'done')),
  messages: MASSES.map((mass, k) => (isLost(mass, k) ? 'Lost, </script>.' : null)),
  settings: MASSES.map((mass) => ({ mass })),
  columns: [
    column('mass', 'setting', (mass) => mass),
    column('error of mass', 'error', (mass) => 0.01 * Math.sin(40 * mass)),
    column('z of mass', 'z', (mass) => Math.SQRT2 * Math.sin(40 * mass)),
    column('seconds', 'cost', (mass) => mass / 10),
  ],
  unknowns: {
    mass: {
      unit: 'kg',
      estimate: MASSES.map((mass, k) => (isLost(mass, k) ? null : mass * (1 + 0.01 * Math.sin(40 * mass)))),
      standardError: MASSES.map((mass, k) => (isLost(mass, k) ? null : 0.007 * mass)),
      truth: MASSES.map((mass, k) => (isLost(mass, k) ? null : mass)),
    },
  },
  machines: [],
  reports: {},
};

describe.skipIf(!chromium)('scripts of pages in a browser', () => {
  let scratch: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'gradsim-pages-'));
    browser = await puppeteer.launch({ executablePath: chromium!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterAll(async () => {
    await browser?.close();
    if (scratch) rmSync(scratch, { recursive: true });
  });

  async function open(name: string, content: string, hash = ''): Promise<void> {
    const file = join(scratch, name);
    writeFileSync(file, content);
    await page.goto(pathToFileURL(file).href + hash);
  }
  const textsOf = (selector: string): Promise<string[]> =>
    page.$$eval(selector, (all) => all.map((each) => each.textContent ?? ''));
  /** Number of different colours that a canvas shows. */
  const coloursOf = (selector: string): Promise<number[]> =>
    page.$$eval(selector, (all) =>
      all.map((each) => {
        const { width, height } = each as HTMLCanvasElement;
        const { data } = (each as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
        return new Set(new Uint32Array(data.buffer)).size;
      }),
    );

  it('a study is summed up, drawn, filtered, sorted, and shown trial by trial', async () => {
    await open('study.html', studyPage(STUDY), '#trial-8');
    expect((await textsOf('#facts span')).slice(0, 2)).toEqual(['196 of 200 trials done', '4 failed']);
    const [name, n, determined, , median, , , within, rms] = await textsOf('#summary tbody td');
    expect([name, n, determined, within]).toEqual(['mass kg', '196', '196', '100 %']);
    expect(Number(median)).toBeGreaterThan(0.005);
    expect(Number(rms)).toBeCloseTo(1, 1);
    // Trials, error over claimed error, distribution and time; there are no values of memory.
    const colours = await coloursOf('#charts canvas');
    expect(colours).toHaveLength(5);
    for (const count of colours) expect(count).toBeGreaterThan(2);
    // The address named the eighth trial.
    expect(await textsOf('#detail pre')).toEqual(['Lost, </script>.', '{\n  "mass": 2\n}']);

    const rows = (): Promise<string[]> => textsOf('#rows tbody tr:not(.spacer) td:nth-child(3)');
    expect((await rows()).slice(0, 2)).toEqual(['0.25', '0.5']);
    // Of 200 rows, only those near the visible ones are in the document.
    expect((await rows()).length).toBeLessThan(60);
    await page.click('#rows th:nth-child(3)');
    await page.click('#rows th:nth-child(3)');
    expect((await rows()).slice(0, 2)).toEqual(['50', '49.75']);
    await page.type('#filter', 'mass<2.5; status=error');
    expect(await rows()).toEqual(['2']);
    expect(await textsOf('#count')).toEqual(['1 of 200']);
    await page.$eval('#filter', (input) => {
      (input as HTMLInputElement).value = '';
      input.dispatchEvent(new Event('input'));
    });
    await page.click('#chips button:nth-child(2)');
    expect(await rows()).toEqual(['39.5', '27', '14.5', '2'].sort((a, b) => Number(b) - Number(a)));
    await page.click('#rows tbody tr:nth-child(2)');
    expect((await textsOf('#detail h3'))[0]).toMatch(/^Trial 158 /);
    const csv = await page.evaluate(async () => {
      const blob = await new Promise<Blob>((resolve) => {
        URL.createObjectURL = (content) => {
          resolve(content as Blob);
          return '#';
        };
        document.getElementById('csv')!.click();
      });
      return blob.text();
    });
    expect(csv.split('\n').slice(0, 2)).toEqual(['#,status,mass,error of mass,z of mass,seconds', '158,error,39.5,,,']);
    expect(complaints).toEqual([]);
  });

  it('a player steps by keys, and draws pictures, overlay and wipe', async () => {
    // Target black, estimate in a brightness of the frame, difference the same.
    const size = { width: 40, height: 30, frames: [0, 2, 4] };
    const light = (of: number): Float32Array => new Float32Array(3 * 40 * 30).fill(of);
    const three = (k: number): Three<Float32Array> => [light(0), light((k + 1) / 5), light((k + 1) / 5)];
    const sheet = await contactSheet(size, three, { frameRate: 30 });
    const body = html`${player(sheet, ['target', 'estimate', 'difference'], { overlay: 'both', wipe: 'over' })}`;
    await open('player.html', htmlPage({ title: 'player', style: '', body, scripts: [pageScript('player.js')] }));
    await page.waitForSelector('.player:not([hidden])');
    /** First and last pixel of each picture. */
    const pixels = (): Promise<number[][]> =>
      page.$$eval('canvas', (all) =>
        all.map((canvas) => {
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          return [...data.slice(0, 3), ...data.slice(-4, -1)];
        }),
      );
    const flat = (value: number): number[] => Array<number>(6).fill(value);
    expect(await pixels()).toEqual([flat(0), flat(51), flat(51), [0, 51, 51, 0, 51, 51]]);
    await page.focus('.controls button');
    await page.keyboard.press('ArrowRight');
    expect(await textsOf('output')).toEqual(['frame 2']);
    await page.keyboard.press('End');
    expect((await pixels())[1]).toEqual(flat(153));
    await page.focus('.wipe');
    for (let k = 0; k < 50; k++) await page.keyboard.press('ArrowRight');
    expect((await pixels())[1]).toEqual([0, 0, 0, 153, 153, 153]);
    expect(await textsOf('output')).toEqual(['frame 4']);
    await page.click('.controls button');
    await page.waitForFunction(() => document.querySelector('output')!.textContent === 'frame 0');
    expect(complaints).toEqual([]);
  });
});
