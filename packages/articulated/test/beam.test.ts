import { addBeam, articulated, beamFrequency, beamHinge, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { expect, it } from 'vitest';

const SIZE = { length: 0.8, width: 0.06, thickness: 0.04, density: 1000 };
const E = 2e7;

/** Heights of the free end, by frame; the beam is let go straight, and sags. */
async function endOf(dampingRatio: number, frames: number, rate: number, hinges?: number): Promise<number[]> {
  const scene = createScene([articulated()]);
  const links = addBeam(scene, { ...SIZE, youngsModulus: E, dampingRatio, ...(hinges ? { hinges } : {}) });
  // So little that it bends by a hundredth of its length: what is slender is linear.
  scene.add(Gravity, { acceleration: [0, -0.5, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    ...{ device: f64Device(), frames, frameRate: rate, substeps: Math.ceil(12000 / rate) },
    record: [Link.position, Link.worldOrientation],
  });
  simulation.forward();
  const [places, turns] = [
    await simulation.readFrames(Link.position),
    await simulation.readFrames(Link.worldOrientation),
  ];
  simulation.dispose();
  const count = links.length + 1;
  const own = SIZE.length / links.length / 2;
  return Array.from({ length: frames }, (_, f) => {
    const last = f * count + count - 1;
    const [z, w] = [turns[4 * last + 2], turns[4 * last + 3]];
    return places[3 * last + 1] + own * 2 * z * w;
  });
}

/** Sag of a slender cantilever under its own weight: rho A g L^4 / (8 E I). */
const SAG = (SIZE.density * 0.5 * SIZE.length ** 4 * 12) / (8 * E * SIZE.thickness ** 2);

it('swings with the frequency of a slender beam, about its sag, whatever the number of hinges', async () => {
  const period = (2 * Math.PI) / beamFrequency(SIZE, E);
  for (const hinges of [4, 6, 8]) {
    // A period has so many frames.
    const heights = await endOf(0, 401, 400 / period / 4, hinges);
    const mean = heights.slice(0, 400).reduce((sum, y) => sum + y / 400, 0);
    expect(Math.abs(mean / -SAG - 1)).toBeLessThan(0.02);
    // Where it crosses its mean upwards: after three quarters of a period, and after three more.
    const crossings = heights.flatMap((y, k) =>
      k > 0 && heights[k - 1] < mean && y >= mean ? [k - (y - mean) / (y - heights[k - 1])] : [],
    );
    const measured = (crossings[3] - crossings[0]) / 3;
    expect(Math.abs(measured / 100 - 1)).toBeLessThan(4e-3);
  }
});

it('loses by damping what a ratio says, exp(-2 pi z) in a period', async () => {
  const [ratio, period] = [0.05, (2 * Math.PI) / beamFrequency(SIZE, E)];
  const heights = await endOf(ratio, 401, 400 / period / 4);
  const low = [0, 1, 2, 3].map((k) => Math.min(...heights.slice(100 * k, 100 * (k + 1))));
  const rest = -SAG;
  expect((low[2] - rest) / (low[1] - rest)).toBeCloseTo(Math.exp(-2 * Math.PI * ratio), 1);
  const decrement = Math.log((low[1] - rest) / (low[3] - rest)) / 2;
  expect(Math.abs(decrement / (2 * Math.PI * ratio) - 1)).toBeLessThan(0.1);
});

it('has springs that go with E, and refuses what is no beam', () => {
  const [one, two] = [1e6, 2e6].map((youngsModulus) =>
    beamHinge(SIZE, { youngsModulus, dampingRatio: 0.02 }),
  );
  expect(two.stiffness / one.stiffness).toBeCloseTo(2, 12);
  expect(two.damping / one.damping).toBeCloseTo(Math.SQRT2, 12);
  const scene = createScene([articulated()]);
  expect(() => addBeam(scene, { ...SIZE, youngsModulus: E, width: 0 })).toThrow(
    'width is 0; it must be a number above 0',
  );
  expect(() => addBeam(scene, { ...SIZE, youngsModulus: E, hinges: 2 })).toThrow('hinges is 2');
});
