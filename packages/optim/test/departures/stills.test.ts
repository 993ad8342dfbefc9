import { exp, f32, f64Device, kernel, Model, perWorld, recordOf, sqrt } from '@gradsim/core';
import { assess, infer, type Problem, randomNumbers, search } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, printedSeed } from '../motes.ts';

// One picture of a disc of unknown place and radius, px, in 6 x 6 tiles. Its rim falls off as a logistic function.
const device = f64Device();
const normal = normalNumbers(randomNumbers(printedSeed('departures in stills', 61)));
const [TILE, TILES] = [8, 6];
const SIDE = TILE * TILES;
const RUN = { frames: 1, frameRate: 1, substeps: 1 } as const;
const TRUTH = { x: 22.3, y: 25.8, radius: 13.4 } as const;
const NOISE = 0.01;

const places = Array.from({ length: SIDE ** 2 }, (_, e) => {
  const [tile, own] = [Math.floor(e / TILE ** 2), e % TILE ** 2];
  return { x: (tile % TILES) * TILE + (own % TILE), y: Math.floor(tile / TILES) * TILE + Math.floor(own / TILE) };
});
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
    return { covered: f32(1).div(exp(beyond.mul(2)).add(1)) };
  },
);
const model = new Model();
model.addDomain('pixels', SIDE ** 2, { grid: { width: SIDE, height: SIDE, tile: TILE } });
for (const [name, fill] of Object.entries(TRUTH)) model.addField('world', name, f32, { fill });
model.addField('pixels', 'column', f32, { values: places.map(({ x }) => x) });
model.addField('pixels', 'row', f32, { values: places.map(({ y }) => y) });
model.addField('pixels', 'covered', f32);
model.addPass('observe', drawn);
const covered = await recordOf(model, 'pixels.covered', { device, ...RUN });

/** Estimates the disc from a picture of what a pixel shows by the share that is covered. */
async function estimatedFrom(shows: (covered: number) => number, noise: number) {
  const target = covered.map((share) => shows(share) + noise * normal());
  const problem: Problem = {
    model,
    ...RUN,
    parameters: Object.entries(TRUTH).map(([name, truth]) => ({
      name,
      field: `world.${name}`,
      initial: 1.03 * truth,
    })),
    observations: [{ field: 'pixels.covered', target }],
  };
  const posterior = await infer(problem, await search(problem, { device }), { device });
  const { standardErrors } = posterior.uncertainty!;
  const errors = Object.values(TRUTH).map((truth, i) => Math.abs(posterior.values[i] - truth) / standardErrors[i]);
  return { ...assess(problem, posterior), worst: Math.max(...errors), posterior };
}

/** Covered share where the front and the back of a surface cover alike, as if independent of one another. */
const twice = (share: number): number => 1 - (1 - share) ** 2;

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

  it('does not trust smoother outlines', async () => {
    const { trusted } = await estimatedFrom((share) => share ** 0.7 / (share ** 0.7 + (1 - share) ** 0.7), NOISE);
    expect(trusted).toBe(false);
  });
});
