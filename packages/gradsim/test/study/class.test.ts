// A sheet of films with what was measured beside each: what is refused, what runs, and how far groups agree.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ball } from '@gradsim/kinds';
import { createFrames, encodeFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { sheetQuestions } from '../../src/study/load/sheet-questions.ts';
import { agreementLine, agreementsOf, distrustedIn } from '../../src/study/page/agreement.ts';
import type { PageData } from '../../src/study/page/data.ts';
import { gradsim, temporaryFolder } from '../support.ts';

/** A film of two grey pictures: what is refused is so before it is looked at. */
const film = encodeFrames(createFrames({ width: 16, height: 16, channels: 3, frameRate: 30 }, 2), 'gif');

describe('gradsim study of a sheet', () => {
  it('refuses columns that are no measures, and names all lines that are wrong before anything runs', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.gif'), await film);
    const sheet = join(folder, 'class.csv');
    const study = () => gradsim(['study', sheet, '--kind', 'ball', '--out', join(folder, 'out')]);
    writeFileSync(sheet, 'group,film,radus\nanna,a.gif,0.1\n');
    expect((await study()).stderr.join('\n')).toContain('Did you mean "radius"?');
    writeFileSync(sheet, 'group;film;radius [cm]\nanna;a.gif;10 kg\nbela;b.gif;10\nchris;a.gif;\ndana;a.gif;10\n');
    const { code, stderr } = await study();
    expect(code).toBe(1);
    const said = stderr.join('\n');
    expect(said).toContain('3 of 4 lines cannot be estimated; nothing was run');
    for (const part of [
      'line 2 (anna): --set radius',
      'line 3 (bela): There is no f',
      'line 4 (chris): gradsim new ball needs',
    ])
      expect(said).toContain(part);
    writeFileSync(sheet, 'group,film,radius\n');
    expect((await study()).stderr.join('\n')).toContain('has no lines below its headings');
  });
});

describe('sheetQuestions', () => {
  const asked = (...radii: string[]): string[] =>
    sheetQuestions(
      radii.map((radius, line) => ({ line, group: 'abcdef'[line], own: { radius } })),
      ball.measures,
    );

  it('asks about a diameter, or another unit, among the radii of others', () => {
    const questions = asked('6 cm', '0.06', '0.12', '5,9 cm', '6.1');
    expect(questions).toEqual([
      expect.stringContaining('c: radius is 0.12, twice that of most others'),
      expect.stringContaining('e: radius is 6.1, a hundred times that of most others'),
    ]);
  });

  it('asks nothing of radii that only differ, of two, and of what is no number', () => {
    expect(asked('6 cm', '0.065', '0.09', '0.055')).toEqual([]);
    expect(asked('6 cm', '0.12')).toEqual([]);
    expect(asked('null', 'null', '0.06', '0.06', '?')).toEqual([]);
  });
});

describe('agreement of trials', () => {
  /** Page of estimates with standard errors, by group; the last is not trusted. */
  const pageOf = (found: readonly (readonly [number, number | null])[]): PageData => ({
    studies: [{ name: 'class', asked: found.length }],
    ids: found.map((_, k) => `${k}`),
    study: found.map(() => 0),
    status: found.map(() => 'done'),
    messages: found.map(() => null),
    settings: found.map(() => null),
    columns: [
      { name: 'group', of: 'setting', cells: found.map((_, k) => `group ${k + 1}`) },
      { name: 'trusted', of: 'summary', cells: found.map((_, k) => k < found.length - 1) },
    ],
    unknowns: {
      g: {
        unit: 'm/s^2',
        estimate: found.map(([x]) => x),
        standardError: found.map(([, s]) => s),
        truth: found.map(() => null),
      },
    },
    machines: [],
    reports: {},
  });

  it('is the mean by standard errors and their spread, without what is unlike, undetermined or not trusted', () => {
    const page = pageOf([
      [9.8, 0.1],
      [9.9, 0.1],
      [9.7, 0.1],
      [9.85, 0.2],
      [12, 0.1],
      [9.8, null],
      [3, 0.1],
    ]);
    const [{ count, mean, spreadOverErrors, unlike, standardError }] = agreementsOf(page);
    expect(count).toBe(5);
    // Weights 100, 100, 100, 25.
    expect(mean).toBeCloseTo((100 * (9.8 + 9.9 + 9.7) + 25 * 9.85) / 325, 10);
    expect(standardError).toBeCloseTo(1 / Math.sqrt(325), 10);
    expect(spreadOverErrors).toBeGreaterThan(0.7);
    expect(spreadOverErrors).toBeLessThan(1);
    expect(unlike).toEqual([{ trial: 'group 5', estimate: 12, standardError: 0.1 }]);
    expect(distrustedIn(page)).toEqual(['group 7']);
  });

  it('says nothing of two, and widens the mean where groups differ by more than their standard errors', () => {
    expect(
      agreementsOf(
        pageOf([
          [9.8, 0.1],
          [9.9, 0.1],
          [3, 1],
        ]),
      ),
    ).toEqual([]);
    const [wide] = agreementsOf(
      pageOf([
        [9, 0.1],
        [9.4, 0.1],
        [9.8, 0.1],
        [10.2, 0.1],
        [3, 1],
      ]),
    );
    expect(wide.unlike).toEqual([]);
    // Standard deviation of 0, 0.4, 0.8, 1.2 is 0.516.
    expect(wide.spreadOverErrors).toBeCloseTo(5.164, 2);
    expect(wide.standardError).toBeCloseTo(0.5164 / 2, 3);
    expect(wide.isDisagreement).toBe(true);
  });

  it('weighs nothing where groups disagree: errors that grow with the value would prefer the smallest', () => {
    const [apart] = agreementsOf(
      pageOf([
        [30.84, 0.31],
        [19.75, 0.2],
        [13.74, 0.14],
        [3, 1],
      ]),
    );
    expect(apart.mean).toBeCloseTo((30.84 + 19.75 + 13.74) / 3, 10);
    // Standard deviation 8.676 of three.
    expect(apart.standardError).toBeCloseTo(8.676 / Math.sqrt(3), 2);
    const line = agreementLine(apart);
    expect(line).toMatch(/^g: the 3 differ by \d+(\.\d+)? times what their standard errors say/);
    for (const each of ['group 1 (30.84', 'group 2 (19.75', 'group 3 (13.74', '21.44 +- 5'])
      expect(line).toContain(each);
  });
});
