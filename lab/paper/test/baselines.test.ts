import { cmaEs, coordinateAt, FilmLosses, type MeasuredEstimate } from '@gradsim/baselines';
import { cpuDevice } from '@gradsim/core';
import { FILM, RigidStudio, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import { Body } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import type { Method, ObjectFound } from '../src/baselines/methods.ts';
import { METHODS } from '../src/baselines/methods.ts';
import { baselineRows } from '../src/baselines/row.ts';
import type { Settings } from '../src/baselines/study.ts';

const found = (value: number, standardError: number | null, trusted: boolean): MeasuredEstimate => ({
  values: { mass: value },
  sureness: { standardErrors: { mass: standardError }, trusted, findings: [] },
  simulations: 80,
  seconds: 2,
});
const blind = (value: number): MeasuredEstimate => ({
  values: { mass: value },
  sureness: null,
  simulations: 625,
  seconds: 20,
});
const objectOf = (gradsim: MeasuredEstimate, isDetermined = true): ObjectFound => ({
  shape: 'box',
  truth: { mass: 4 },
  random: { mass: 8 },
  determined: { mass: isDetermined },
  methods: Object.fromEntries(METHODS.map((method) => [method, method === 'gradsim' ? gradsim : blind(5)])) as Record<
    Method,
    MeasuredEstimate
  >,
});
const objects = [
  objectOf(found(4, 0.1, true)),
  objectOf(found(4.2, 0.1, false)),
  objectOf(found(4.5, 0.1, false)),
  objectOf(found(4.6, 0.1, true)),
  objectOf(found(9, null, true)),
  objectOf(found(9, 0.1, true), false),
];
const trials = [
  { settings: { instance: 1, row: 'training', shape: 'box' } as Settings, found: { objects: 1, means: { mass: 3 } } },
  { settings: { instance: 1, row: 'training', shape: 'cone' } as Settings, found: { objects: 3, means: { mass: 7 } } },
  ...objects.map((found, k) => ({ settings: { instance: k + 1, row: 'objects', sample: k } as Settings, found })),
  { settings: { instance: 7, row: 'objects', sample: 7 } as Settings, found: null },
];
const rows = baselineRows(trials, { table: 'table-1', unknown: 'mass', published: { Average: 0.1, gradsim: 9e-5 } });
const row = (name: string) => rows.find(({ row }) => row === name)!;

it('each comparison method has a row over the objects whose film determines the unknown', () => {
  expect(rows.map(({ row }) => row)).toEqual(['Average', 'Random', ...METHODS]);
  for (const { n, table, unknown } of rows)
    expect({ n, table, unknown }).toEqual({ n: 5, table: 'table-1', unknown: 'mass' });
  // The mean over all that may be learned from is (3 + 3 * 7) / 4.
  expect(row('Average')).toMatchObject({ measured: 0.5, published: 0.1, trusted: null, flaggedOfWrong: null });
  expect(row('Random')).toMatchObject({ measured: 1, published: null, simulations: null });
  expect(row('CMA-ES')).toMatchObject({
    measured: 0.25,
    trusted: null,
    flaggedOfWrong: null,
    simulations: 625,
    seconds: 20,
  });
});

it('an estimate more than four standard errors from the truth counts as wrong, and as flagged if it is not trusted', () => {
  // Wrong are 4.5, which is flagged, and 4.6; that of 9 says that nothing determines it.
  expect(row('gradsim')).toMatchObject({
    median: 0.125,
    worst: 1.25,
    trusted: 3 / 5,
    flaggedOfWrong: 1 / 2,
    withinTwo: 2 / 3,
  });
});

it('the loss of a film is the mean squared difference of pixels, and CMA-ES finds the true density by it', async () => {
  const device = cpuDevice({ threads: 1 });
  const [{ scene }] = await new RigidStudio().act('box', [0], { seed: 1, size: 16 });
  const timeline = { ...FILM, substeps: scene.substeps };
  const model = sceneModel(scene);
  const film = await filmModel(model, timeline, { device });
  const other = await filmModel(sceneModel({ ...scene, density: 5 }), timeline, { device });
  const difference = film.rgba.reduce((sum, value, k) => sum + (value - other.rgba[k]) ** 2, 0) / film.rgba.length;

  const range = [2, 12] as const;
  const losses = await FilmLosses.of(model, film, [{ field: Body.density, range }], device);
  const points = [5, scene.density].map((density) => [coordinateAt(range, density)]);
  const [atOther, atTruth] = await losses.losses(points);
  expect(atOther / difference).toBeCloseTo(1, 4);
  expect(atTruth).toBeLessThan(1e-9);
  const { point } = await cmaEs(losses, { simulations: 60, start: [0.9], random: randomNumbers(1) });
  expect(point[0]).toBeCloseTo(coordinateAt(range, scene.density), 2);
  losses.dispose();
});
