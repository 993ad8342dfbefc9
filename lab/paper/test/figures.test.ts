import { expect, it } from 'vitest';
import { svgOf } from '../src/figures/chart.ts';
import { FIGURES } from '../src/figures/index.ts';
import { minimaOf } from '../src/figures/landscapes/false-minima.ts';
import { reinforceView } from '../src/figures/landscapes/reinforce-view.ts';
import { linePanels } from '../src/figures/lines.ts';
import { spreadOf } from '../src/figures/spread.ts';

it('minima of a map are those that every way out of climbs a twentieth of the largest loss', () => {
  const at = (losses: number[][]): number[] => minimaOf(losses).map(({ loss }) => loss);
  expect(at([[9, 0, 9, 4, 10]])).toEqual([0, 4]);
  // The second climbs by 0.4 of 10.
  expect(at([[9, 0, 4.4, 4, 10]])).toEqual([0]);
  // One column over there is a way around the ridge.
  expect(
    at([
      [9, 0, 9, 4, 10],
      [9, 1, 2, 3, 10],
    ]),
  ).toEqual([0]);
  // A plateau is one minimum.
  expect(at([[5, 1, 1, 1, 5]])).toEqual([1]);
});

it('a step of REINFORCE over a slope goes downwards, but near the end at which the range is mirrored', () => {
  const values = Array.from({ length: 101 }, (_, k) => k / 100);
  const { points, wrong } = reinforceView({ values, losses: values.map((x) => Math.max(x, 0.1)) }, 0, 1);
  expect(points).toHaveLength(101);
  expect(wrong).toBeLessThan(0.1);
});

it('the spread of runs is their median and quartiles; a run that ends early keeps its last value', () => {
  expect(spreadOf([0, 1], [[1, 5], [2], [3, 3]])).toEqual([
    { x: 0, y: 2, low: 1.5, high: 2.5 },
    { x: 1, y: 3, low: 2.5, high: 4 },
  ]);
});

it('a chart is SVG with its series by name, without a browser', async () => {
  const line = {
    panel: 'loss',
    series: 'gradsim',
    points: spreadOf(
      [0, 1],
      [
        [1, 5],
        [2, 6],
      ],
    ),
  };
  const svg = await svgOf(linePanels({ lines: [line], xTitle: 'x', yTitle: 'y', columns: 1, width: 100, height: 100 }));
  expect(svg).toMatch(/^<svg/);
  expect(svg).toContain('gradsim');
});

it('every figure draws what there is: without a trial, no curve and no row that claims a number', async () => {
  for (const figure of FIGURES) {
    const { rows } = await figure.drawFrom('no such folder', 1, undefined);
    expect(rows.filter(({ measured }) => measured !== null)).toEqual([]);
  }
});
