// The film that comes with the page, from the first screen to an answer, and kinds that the path of a film chooses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evenTimes, filmed } from '../../../packages/kinds/test/support/films.ts';
import { answersOf, withoutCommands } from '../src/answer/sentences.ts';
import { checkFields } from '../src/form/fields.ts';
import { notWanted, ticksOf, turn } from '../src/form/ticks.ts';
import { kindOf } from '../src/kinds.ts';
import { chromium, type OpenStudio, openStudio, PHONE, timeout } from './support/open.ts';

if (!chromium) console.warn('SKIPPED, NOT TESTED: the first screen of the studio. It takes Chromium.');
/** True gravity of the film that comes with the page, m/s², and damping, 1/s: those that `npm run films -- --kinds pendulum --each 1 --seed 351` drew. */
const [GRAVITY, DAMPING] = [9.8024, 0.1915];

describe.skipIf(!chromium)('the first screen of the studio', () => {
  let studio: OpenStudio;
  let scratch: string;
  let address: string;
  let page: Page;

  beforeAll(async () => {
    studio = await openStudio();
    ({ page, address, scratch } = studio);
  });
  afterAll(() => studio?.close());
  const textOf = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent ?? '');
  const press = (selector: string): Promise<void> =>
    page.$eval(selector, (element) => (element as HTMLElement).click());

  it('has a film to try, whose answers come into view with their bars, graphs, an angle and a formula', async () => {
    await page.goto(address);
    await page.waitForSelector('.try');
    await press('.try');
    await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
    expect(await textOf('.kind.chosen span')).toBe('A pendulum swings');
    // Gravity is looked for; what is not has to be entered.
    const ticked = () => page.$$eval('.ticks input', (all) => all.map((each) => (each as HTMLInputElement).checked));
    expect(await ticked()).toEqual([true, true]);
    expect(await page.$('#field-gravity')).toBeNull();
    await press('.ticks input');
    await page.waitForSelector('.fields:not(details) #field-gravity');
    await press('form button.main');
    await page.waitForFunction(() =>
      document.querySelector('#field-gravity-remark')?.textContent?.includes('tick above'),
    );
    await press('.ticks input');
    await page.waitForFunction(() => !document.querySelector('#field-gravity'));
    if (process.env.SCREENS) {
      await page.screenshot({ path: `${process.env.SCREENS}/ticks-phone.png`, fullPage: true });
      await page.setViewport({ ...PHONE, width: 1280 });
      await page.screenshot({ path: `${process.env.SCREENS}/ticks-desk.png`, fullPage: true });
      await page.setViewport(PHONE);
    }
    await press('form button.main');
    await page.waitForSelector('.answer .number', { timeout });
    const names = await page.$$eval('.number .name', (all) => all.map(({ textContent }) => textContent));
    expect(names).toEqual([
      'gravity: the acceleration of free fall where the film was made',
      'damping: how fast its swings become smaller',
    ]);
    const values = await page.$$eval('.number .value', (all) => all.map(({ textContent }) => textContent ?? ''));
    console.info(values.join('; '));
    for (const [k, truth] of [GRAVITY, DAMPING].entries()) {
      const [, value, error] = /^(-?[\d.]+) ± ([\d.]+)/.exec(values[k])!.map(Number);
      expect(Math.abs(value - truth)).toBeLessThan(3 * error);
    }
    expect(await textOf('.number .verdict')).toContain('Trusted');
    // In view, without scrolling.
    const top = await page.$eval('.number .value', (element) => element.getBoundingClientRect().bottom);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(PHONE.height);
    await page.waitForSelector('.course #formula', { timeout });
    expect(await page.$$eval('.seen-motion figcaption', (all) => all.map(({ textContent }) => textContent))).toEqual([
      ...['x m', 'y m', 'vx, speed along x m/s', 'vy, speed along y m/s', 'speed m/s'],
      ...['ax, acceleration along x m/s²', 'ay, acceleration along y m/s²', 'acceleration m/s²'],
      ...['height m', 'kinetic: energy of motion J/kg', 'potential: energy of height J/kg'],
      ...['energy: of motion and height J/kg', 'angle degrees'],
    ]);
    await page.focus('#formula');
    await page.keyboard.type('angle = A exp(-c t) cos(w t + p)');
    await press('.course summary');
    await page.focus('.course details input');
    await page.keyboard.type('w = 3.5');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.fit .chart, .course .wrong', { timeout });
    expect(await page.$('.course .wrong')).toBeNull();
    expect(await page.$$('.fit .parameters tbody tr')).toHaveLength(4);
    expect((await page.$$('.numbers tbody tr')).length).toBeGreaterThan(60);
    // A page to hand in has the names, the answers and the graphs.
    await page.focus('.downloads input');
    await page.keyboard.type('Anna & Bela');
    const handedIn = await page.evaluate(async () => {
      const blob = await new Promise<Blob>((resolve) => {
        URL.createObjectURL = (content) => {
          resolve(content as Blob);
          return '#';
        };
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Report (HTML)')!.click();
      });
      return blob.text();
    });
    expect(handedIn).toContain('<h1>A pendulum swings: pendulum.mp4, by Anna &amp; Bela</h1>');
    expect(handedIn).toContain('angle = A exp(-c t) cos(w t + p)');
    if (process.env.SCREENS) {
      await page.screenshot({ path: `${process.env.SCREENS}/try-phone.png`, fullPage: true });
      await page.setViewport({ ...PHONE, width: 1280 });
      await page.screenshot({ path: `${process.env.SCREENS}/try-desk.png`, fullPage: true });
      await page.setViewport(PHONE);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    // Words of the program are none of the page, but where all numbers are folded away.
    const said = await page.$$eval('.answer > *:not(.deeper):not(.downloads)', (all) =>
      all.map(({ textContent }) => textContent).join(' '),
    );
    expect(said).not.toMatch(/outlineCentroid|residual of|iterations|`|--\w|not determined/);
    expect(studio.complaints).toEqual([]);
  });

  it.each([
    ['pendulum', 2.5, 'A pendulum swings'],
    ['spring', 2, 'A ball bobs on a spring'],
    ['flight', 0.65, 'A ball falls or flies'],
    ['cart', 1.4, 'A cart runs on a track'],
  ] as const)('the path of a %s chooses its kind', async (name, seconds, title) => {
    const film = join(scratch, `${name}.webm`);
    writeFileSync(film, await filmed(evenTimes(seconds), { radius: 12, at: PATHS[name] }));
    await page.goto('about:blank');
    await page.goto(address);
    await page.waitForSelector('.drop button');
    const input = (await page.$('input[type=file]')) as unknown as { uploadFile(path: string): Promise<void> };
    await input.uploadFile(film);
    await page.waitForSelector('form button.main:not([aria-busy=true])', { timeout });
    expect(await textOf('.kind.chosen span')).toBe(title);
    expect(await textOf('.finds')).toMatch(/^Chosen by its path; choose another if it is wrong\. Finds/);
  });
});

const PATHS = {
  pendulum: (t: number): [number, number] => {
    const angle = 0.45 * Math.exp(-0.1 * t) * Math.cos(3.5 * t);
    return [160 + 120 * Math.sin(angle), 40 + 120 * Math.cos(angle)];
  },
  spring: (t: number): [number, number] => [160, 110 + 35 * Math.exp(-0.1 * t) * Math.cos(8 * t)],
  flight: (t: number): [number, number] => [60 + 225 * t, 190 - 150 * (2.5 * t - (9.81 * t * t) / 2)],
  cart: (t: number): [number, number] => [40 + 60 * t + 60 * t * t, 120],
};

describe('what a person looks for', () => {
  const wanted = (kind: string, fields: Record<string, string>): string[] =>
    ticksOf(kindOf(kind), fields).flatMap(({ answer, isTicked }) => (isTicked ? [answer] : []));
  function turned(kind: string, fields: Record<string, string>, ...answers: string[]): Record<string, string> {
    const next = { ...fields };
    for (const answer of answers) {
      const tick = ticksOf(kindOf(kind), next).find((each) => each.answer === answer)!;
      Object.assign(next, turn(kindOf(kind), next, tick));
    }
    return next;
  }

  it('is what nothing measured gives, and what is asked for first is measured', () => {
    expect(wanted('ball', {})).toEqual(['restitution']);
    expect(wanted('chain', {})).toEqual(['gravity', 'damping']);
    expect(wanted('rod', {})).toEqual(['radius of gyration', 'damping']);
    expect(wanted('spring', {})).toEqual(['stiffness', 'stiffness over mass', 'damping']);
    // A template that gives a value.
    expect(wanted('pendulum', { gravity: '9.81' })).toEqual(['damping']);
  });

  it('is chosen by ticks: what is ticked is not asked for, and what is not ticked has no headline', () => {
    const both = turned('ball', {}, 'gravity');
    expect([wanted('ball', both), checkFields(kindOf('ball'), both).values.gravity]).toEqual([
      ['restitution', 'gravity'],
      null,
    ]);
    const again = turned('ball', both, 'gravity');
    expect([wanted('ball', again), checkFields(kindOf('ball'), again).values.gravity]).toEqual([['restitution'], 9.81]);
    // The mass by a known stiffness.
    const weighing = { ...turned('spring', {}, 'stiffness', 'mass'), stiffness: '20' };
    expect(wanted('spring', weighing)).toEqual(['mass', 'stiffness over mass', 'damping']);
    expect(checkFields(kindOf('spring'), weighing).errors.stiffness).toBeUndefined();
    expect(checkFields(kindOf('spring'), { ...weighing, stiffness: '' }).errors.stiffness).toContain('tick above');
    const alone = turned('spring', weighing, 'damping');
    const estimate = { parameters: { mass: {}, damping: {} }, derived: {} } as never;
    expect(Object.keys(answersOf('spring', estimate))).toEqual(['mass', 'damping']);
    expect(Object.keys(answersOf('spring', estimate, notWanted(kindOf('spring'), alone)))).toEqual(['mass']);
    expect(Object.keys(answersOf('spring', estimate, ['mass', 'damping']))).toEqual(['mass', 'damping']);
  });
});

it('advice for options is none of a page', () => {
  expect(
    withoutCommands(
      'What moves swings, as it seems, to 0.2 px: that is the kind pendulum, by gradsim new pendulum. It is 3 px off.',
    ),
  ).toBe('What moves swings, as it seems, to 0.2 px: that is the kind pendulum. It is 3 px off.');
  expect(withoutCommands('It jumps. Compute in double precision: `--device f64`. Look again.')).toBe(
    'It jumps. Look again.',
  );
  expect(
    withoutCommands(
      'The search stopped at the maximum number of iterations while the loss was still falling: allow more `iterations`.',
    ),
  ).toMatch(/: take fewer frames/);
});
