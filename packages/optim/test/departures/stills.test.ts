import type { Device } from '@gradsim/core';
import { exp, f32, f64Device, kernel, Model, min, perWorld, recordOf, selectDevice, sqrt } from '@gradsim/core';
import { assess, infer, type Problem, search } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { once } from '../../../../scripts/vitest/once.ts';

// One picture of a disc of unknown place and radius, px, in tiles. Its rim falls off as a logistic function.
const normal = normalNumbers(randomNumbers(seedOfRun('departures in stills', 61)));
const TILE = 8;
const RUN = { frames: 1, frameRate: 1, substeps: 1 } as const;
const NOISE = 0.01;

const drawn = kernel(
  'drawn',
  {
    domain: 'pixels',
    reads: { column: f32, row: f32, x: perWorld(f32), y: perWorld(f32), radius: perWorld(f32) },
    writes: { covered: f32 },
  },
  ({ column, row, x, y, radius }) => {
    const [a, b] = [column.sub(x), row.sub(y)];
    const beyond = sqrt(a.mul(a).add(b.mul(b))).sub(radius);
    return { covered: f32(1).div(exp(min(beyond.mul(2), 40)).add(1)) };
  },
);

/** Estimates a disc from a picture of `tiles` x `tiles` tiles, of what a pixel shows by the share that is covered. */
async function estimatorOf(tiles: number, device: Device) {
  const side = TILE * tiles;
  const truths = { x: 0.465 * side, y: 0.5375 * side, radius: 0.279 * side } as const;
  const places = Array.from({ length: side ** 2 }, (_, e) => {
    const [tile, own] = [Math.floor(e / TILE ** 2), e % TILE ** 2];
    return { x: (tile % tiles) * TILE + (own % TILE), y: Math.floor(tile / tiles) * TILE + Math.floor(own / TILE) };
  });
  const model = new Model();
  model.addDomain('pixels', side ** 2, { grid: { width: side, height: side, tile: TILE } });
  for (const [name, fill] of Object.entries(truths)) model.addField('world', name, f32, { fill });
  model.addField('pixels', 'column', f32, { values: places.map(({ x }) => x) });
  model.addField('pixels', 'row', f32, { values: places.map(({ y }) => y) });
  model.addField('pixels', 'covered', f32);
  model.addPass('observe', drawn);
  const covered = await recordOf(model, 'pixels.covered', { device, ...RUN });
  return async (shows: (covered: number, pixel: number) => number, noise: number, widerBy?: number) => {
    const target = covered.map((share, pixel) => shows(share, pixel) + noise * normal());
    const problem: Problem = {
      model,
      ...RUN,
      parameters: Object.entries(truths).map(([name, truth]) => ({
        name,
        field: `world.${name}`,
        initial: truth + 0.5,
      })),
      observations: [{ field: 'pixels.covered', target }],
    };
    const at =
      widerBy === undefined
        ? await search(problem, { device })
        : { parameters: { ...truths, radius: truths.radius + widerBy } };
    const posterior = await infer(problem, at, { device });
    const { standardErrors } = posterior.uncertainty!;
    const errors = Object.values(truths).map((truth, i) => Math.abs(posterior.values[i] - truth) / standardErrors[i]);
    return { ...assess(problem, posterior), worst: Math.max(...errors), posterior };
  };
}

const estimator = once(() => estimatorOf(6, f64Device()));
const estimatedFrom = async (shows: (covered: number, pixel: number) => number, noise: number) =>
  (await estimator())(shows, noise);

/** Covered share where the front and the back of a surface cover alike, as if independent of one another. */
const twice = (share: number): number => 1 - (1 - share) ** 2;

/** Covered share where the rim lies farther out, px. */
function fartherOut(share: number, by: number): number {
  const odds = Math.exp(2 * by) * share;
  return odds / (1 - share + odds);
}
const rounded = (share: number): number => Math.round(255 * share) / 255;

describe('the verdict on a still picture', () => {
  it('trusts what is drawn as the model draws it', async () => {
    for (let draw = 0; draw < 6; draw++) {
      const { trusted, worst } = await estimatedFrom((share) => share, NOISE);
      expect(trusted).toBe(true);
      expect(worst).toBeLessThan(4);
    }
  });

  it.each([0, NOISE])('does not trust wider outlines, and has the truth in its bars: noise %f', async (noise) => {
    const { trusted, findings, worst, posterior } = await estimatedFrom(twice, noise);
    expect(trusted).toBe(false);
    expect(findings[0].kind).toBe('departure');
    expect(worst).toBeLessThan(3);
    const { deviations, inverse } = posterior.uncertainty!;
    // Without departures the radius would be wrong by ten standard errors and more.
    expect((worst * deviations[2]) / Math.sqrt(inverse[8])).toBeGreaterThan(10);
  });

  it('has the truth in its bars where the outline lies 0.01 px farther out, without noise', async () => {
    const { trusted, worst } = await estimatedFrom((share) => rounded(fartherOut(share, 0.01)), 0);
    expect(trusted).toBe(true);
    expect(worst).toBeLessThan(1.5);
  });

  it.each([0, NOISE])('does not trust outlines that lie in and out by 0.2 px in turn: noise %f', async (noise) => {
    const inAndOut = (share: number, pixel: number): number =>
      rounded(fartherOut(share, Math.floor(pixel / TILE ** 2) % 2 === 0 ? 0.2 : -0.2));
    const { trusted, findings } = await estimatedFrom(inAndOut, noise);
    expect(trusted).toBe(false);
    expect(findings[0].kind).toBe('departure');
  });

  it('trusts what is rounded to 8 bits, without noise', async () => {
    const { trusted, worst } = await estimatedFrom(rounded, 0);
    expect(trusted).toBe(true);
    expect(worst).toBeLessThan(3);
  });

  it('judges a picture of 2.7 million pixels too', async () => {
    const device = await selectDevice('cpu');
    const estimated = await estimatorOf(208, device);
    const kindsOf = async (shows: (covered: number) => number, widerBy: number): Promise<string[]> =>
      (await estimated(shows, NOISE, widerBy)).findings.map(({ kind }) => kind);
    expect(await kindsOf((share) => share, 0)).not.toContain('departure');
    // Half of a pixel is covered twice where 29 % are once: (1 - .29)^2 = 1 / 2.
    expect(await kindsOf(twice, Math.log(Math.SQRT1_2 / (1 - Math.SQRT1_2)) / 2)).toContain('departure');
    device.dispose();
  });

  it('does not trust smoother outlines', async () => {
    const { trusted } = await estimatedFrom((share) => share ** 0.7 / (share ** 0.7 + (1 - share) ** 0.7), NOISE);
    expect(trusted).toBe(false);
  });
});
