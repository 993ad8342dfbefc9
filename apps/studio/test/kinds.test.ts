// Kinds of others in the studio: the guide's own, from its form to its number, and how the modules of a kind are packed.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../packages/gradsim/src/program.ts';
import { type KindFile, packKind } from '../../../packages/gradsim/src/studio/kind-file.ts';
import { serveStudio } from '../../../packages/gradsim/src/studio/serve.ts';
import { evenTimes, filmed } from '../../../packages/kinds/test/support/films.ts';
import { findChromium } from '../../../scripts/chromium.js';
import { isTurnOf } from '../../../scripts/vitest/draws.ts';
import { linkKind } from '../src/work/link.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: kinds of others in the studio. It takes Chromium.');
const page = fileURLToPath(new URL('../dist', import.meta.url));
const guide = readFileSync(new URL('../../../docs/guide/kind.md', import.meta.url), 'utf8');
const DROP = /```ts\n(.*?)```/s.exec(guide)![1];
/** Time limit of a step on a busy machine, ms. */
const timeout = 300_000;

/** Radius, m, scale at the ball, px/m, and true gravity, m/s². */
const [RADIUS, PIXELS, G] = [0.08, 150, 9.81];
const MEASURED = { radius: String(RADIUS), fieldOfView: '40', chroma: 'centre' };

const BROKEN = `
import { defineKind, movingFilmMeasures } from 'gradsim/kinds';
export const broken = defineKind({
  name: 'broken', version: 1, title: 'It <i>breaks</i>', finds: 'nothing', answers: ['nothing'], meaning: {},
  drawing: '<path d="M0 0h9"/>', measures: movingFilmMeasures,
  stages: async () => { throw new Error('It is broken: <b>take another</b>.'); },
});
`;

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'gradsim-kinds-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Writes files into a folder of their own, and returns the path of the first. */
function written(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(scratch, folder, name, '..'), { recursive: true });
    writeFileSync(join(scratch, folder, name), text);
  }
  return join(scratch, folder, Object.keys(files)[0]);
}

interface Found {
  readonly parameters: Readonly<Record<string, { readonly estimate: number; readonly standardError: number | null }>>;
}

if (isTurnOf('kinds of others in the studio'))
  describe.skipIf(!chromium)('the kind of the guide in the studio', () => {
    let browser: Browser;
    let server: Server | undefined;
    let film: string;
    afterAll(() => browser?.close());
    afterEach(() => {
      server?.close();
      server?.closeAllConnections();
    });
    beforeAll(async () => {
      film = join(scratch, 'fall.webm');
      const at = (t: number): [number, number] => [60 + 120 * t, 30 + (PIXELS * G * t * t) / 2];
      writeFileSync(film, await filmed(evenTimes(0.45), { radius: RADIUS * PIXELS, at }));
      browser = await puppeteer.launch({
        executablePath: chromium!,
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      });
    });

    it('has a form, a drawing and words, and finds what the command finds, to 0.01 standard errors', async () => {
      const module = written('guide', { 'drop.ts': DROP });
      const broken = written('broken', { 'broken.ts': BROKEN });
      const kinds = [await packKind(module), await packKind(broken)];
      const made = await serveStudio({ folder: page, film, kinds }, 0);
      ({ server } = made);
      const tab = await browser.newPage();
      const complaints: string[] = [];
      tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      tab.on('pageerror', (error) => complaints.push(String(error)));
      await tab.goto(`${made.address}?film=fall.webm&kind=drop&kind=broken`);
      await tab.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
      expect(await textOf(tab, '.kind.chosen')).toBe('A ball drops');
      expect(await tab.$$('.kind.chosen svg .thing')).toHaveLength(1);
      expect(await textOf(tab, '.finds')).toBe(
        'Finds gravity from a ball that falls or flies freely, from a film of it.',
      );
      expect(await textOf(tab, '#field-radius-what')).toBe('Radius of the ball, m.');
      // What a kind throws is a sentence beside the button, as it is.
      const choose = (name: string): Promise<void> => tab.click(`input[value=${name}]`);
      const estimate = async (): Promise<string> => {
        await tab.focus('form button.main');
        await tab.keyboard.press('Enter');
        await tab.waitForSelector('.answer, form .wrong', { timeout });
        return (await tab.$('form .wrong')) ? textOf(tab, 'form .wrong') : '';
      };
      await choose('broken');
      expect(await estimate()).toContain('It is broken: <b>take another</b>.');
      await choose('drop');
      for (const [name, value] of Object.entries(MEASURED))
        if (name === 'chroma') await tab.select(`#field-${name}`, value);
        else {
          await tab.focus(`#field-${name}`);
          await tab.keyboard.type(value);
        }
      await tab.waitForSelector('.reading');
      await tab.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
      expect(await estimate()).toBe('');
      expect(await textOf(tab, '.number .name')).toBe('gravity: the acceleration of free fall where the film was made');
      await tab.waitForSelector('.seen-motion .chart svg', { timeout });
      expect(await tab.$$('.seen-motion .chart svg')).toHaveLength(12);
      expect(complaints).toEqual([]);
      const { parameters } = await numbersIn(tab);

      const sets = Object.entries(MEASURED).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      const printed: string[] = [];
      const terminal = { print: (line: string) => printed.push(line), say: () => {}, isInteractive: false };
      const folder = join(scratch, 'drop');
      await runProgram(['new', module, '--video', film, ...sets, '--out', folder], terminal);
      const out = ['--out', join(scratch, 'out'), '--json', '--quiet'];
      await runProgram(['estimate', join(folder, 'drop.ts'), '--device', 'cpu', ...out], terminal);
      const command = (JSON.parse(printed.at(-1)!) as Found).parameters;
      expect(Object.keys(parameters)).toEqual(Object.keys(command));
      for (const [name, { estimate, standardError }] of Object.entries(command))
        expect(Math.abs(estimate - parameters[name].estimate) / standardError!, name).toBeLessThan(0.01);
      const { gravity } = parameters;
      console.info(`gravity is ${gravity.estimate} ± ${gravity.standardError}`);
      expect(Math.abs(gravity.estimate - G)).toBeLessThan(3 * gravity.standardError!);
    });

    it('takes the file of a kind from the folder of any host, and says in a sentence which is not there', async () => {
      const hosted = join(scratch, 'hosted');
      cpSync(page, hosted, { recursive: true });
      const { text } = await packKind(written('guide', { 'drop.ts': DROP }));
      written('hosted', { 'kinds/drop.js': text });
      server = (await serveStudio({ folder: hosted, film }, 0)).server;
      const { port } = server.address() as AddressInfo;
      const tab = await browser.newPage();
      await tab.goto(`http://localhost:${port}/?kind=../film&kind=drop&film=fall.webm`);
      await tab.waitForSelector('.note');
      expect(await textOf(tab, '.note')).toMatch(/^The kind \.\.\/film is not there: .* cannot be loaded\.$/);
      await tab.waitForSelector('.kind.chosen', { timeout });
      expect(await textOf(tab, '.kind.chosen')).toBe('A ball drops');
    });
  });

describe('the file of a kind', () => {
  it('holds all of its modules and those of packages, which it links as the command does', async () => {
    const module = written('linked', {
      'node_modules/@someone/tumble/src/index.ts': TUMBLE,
      // Each imports the other: one of them is there in part when the other begins.
      'node_modules/@someone/tumble/src/a.ts': `import { b } from './b.ts'; export const a = () => b + 1; export enum Side { Left = 3 }`,
      'node_modules/@someone/tumble/src/b.ts': `import { a } from './a.ts'; export const b = 40; export const later = () => a();`,
      'node_modules/@someone/tumble/src/late.ts': 'export default 7;',
      'node_modules/@someone/tumble/src/words.json': '{ "title": "It <b>tumbles</b>" }',
      'node_modules/@someone/tumble/package.json': '{ "name": "@someone/tumble", "type": "module" }',
      'node_modules/helpful/package.json': `{ "name": "helpful", "type": "module", "exports": { "browser": "./page.js", "default": "./node.js" } }`,
      'node_modules/helpful/page.js': `import { ball } from '@gradsim/kinds'; export const help = ball.name;`,
      'node_modules/helpful/node.js': `import 'node:fs'; export const help = 'ball';`,
    });
    const { name, text } = await packKind(module);
    expect(name).toBe('tumble');
    const file = written('packed', { 'tumble.mjs': text });
    const packed = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as KindFile;
    expect(packed.shown.title).toBe('It <b>tumbles</b>');
    expect(packed.importFrom).toEqual({ from: module, name: 'tumble' });
    const kind = await linkKind(packed);
    const said: string[] = [];
    const context = { log: (line: string) => said.push(line), fileOf: (path: string) => path };
    const run = kind.stages({ video: 'a.mp4' }, context as never);
    await expect(run).rejects.toThrow(
      /^The kind tumble cannot run here: .*index\.ts imports node:os, which is of Node\.$/,
    );
    expect(said).toEqual(['41 41 3 ball 7']);
  });
});

/** A kind of several modules, which says what it imported, and then imports what a page does not have. */
const TUMBLE = `
import { defineKind, type Measured } from 'gradsim/kinds';
import { Measure } from '@gradsim/kinds';
import { help } from 'helpful';
import { a, Side } from './a.ts';
import { later } from './b.ts';
import words from './words.json';
const video: Measure = { what: 'The film.', type: 'file' };
export const tumble = defineKind({
  name: 'tumble', version: 1, title: words.title, finds: 'how it tumbles', answers: ['spin'], meaning: { spin: 'how fast' },
  drawing: '<circle class="thing" r="9"/>', measures: { video },
  stages: async (measured, { log }) => {
    const { default: late } = await import('./late.ts');
    log([a(), later(), Side.Left, help, late].join(' '));
    return (await import('node:os')).cpus();
  },
});
`;

const textOf = (tab: Page, selector: string): Promise<string> =>
  tab.$eval(selector, ({ textContent }) => textContent ?? '');

/** Numbers that the page saves, kept in the page instead of on the disk. */
const numbersIn = async (tab: Page): Promise<Found> =>
  JSON.parse(
    await tab.evaluate(async () => {
      const blob = await new Promise<Blob>((resolve) => {
        URL.createObjectURL = (content) => {
          resolve(content as Blob);
          return '';
        };
        const buttons = [...document.querySelectorAll<HTMLButtonElement>('.downloads button')];
        buttons.find(({ textContent }) => textContent?.includes('JSON'))!.click();
      });
      return blob.text();
    }),
  );
