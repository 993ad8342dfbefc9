import { addBeam, articulated, beamFrequency, beamTies, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { expect, it } from 'vitest';

const SIZE = { length: 0.8, width: 0.06, thickness: 0.04, density: 1000 };
const E = 2e7;

/** Returns the height of the free end in each frame, m; the beam is released straight, and sags. */
async function endOf(dampingRatio: number, frames: number, rate: number, hinges?: number): Promise<number[]> {
  const scene = createScene([articulated()]);
  const links = addBeam(scene, { ...SIZE, youngsModulus: E, dampingRatio, ...(hinges ? { hinges } : {}) });
  // So weak that it bends by a hundredth of its length: a slender beam is linear.
  scene.add(Gravity, { acceleration: [0, -0.5, 0] });
  const model = buildModel(scene);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames,
    frameRate: rate,
    substeps: Math.ceil(12000 / rate),
    record: [Link.position, Link.worldOrientation],
  });
  simulation.forward();
  const [places, turns] = [
    await simulation.readFrames(Link.position),
    await simulation.readFrames(Link.worldOrientation),
  ];
  simulation.dispose();
  const count = links.length + 1;
  const own = 2 * model.field(Link.centre).values![3 * (count - 1)];
  return Array.from({ length: frames }, (_, f) => {
    const link = f * count + count - 1;
    const [z, w] = [turns[4 * link + 2], turns[4 * link + 3]];
    return places[3 * link + 1] + own * 2 * z * w;
  });
}

/** Sag of the free end of a slender cantilever under its own weight, m: rho A g L^4 / (8 E I). */
const SAG = (SIZE.density * 0.5 * SIZE.length ** 4 * 12) / (8 * E * SIZE.thickness ** 2);

it('a beam of 3, 4 or 6 hinges oscillates about its sag with the frequency of a slender beam to 0.1 %', async () => {
  const period = (2 * Math.PI) / beamFrequency(SIZE, E);
  for (const hinges of [3, 4, 6]) {
    // A period has 100 frames.
    const heights = await endOf(0, 401, 100 / period, hinges);
    const mean = heights.slice(0, 400).reduce((sum, y) => sum + y / 400, 0);
    expect(Math.abs(mean / -SAG - 1)).toBeLessThan(2e-3);
    // The first mode returns after a period: from one upward crossing of its mean to the one three periods later.
    const crossings = heights.flatMap((y, k) =>
      k > 0 && heights[k - 1] < mean && y >= mean ? [k - (y - mean) / (y - heights[k - 1])] : [],
    );
    const measured = (crossings[3] - crossings[0]) / 3;
    expect(Math.abs(measured / 100 - 1)).toBeLessThan(1e-3);
  }
});

it('a beam of links has the logarithmic decrement 2 pi z / sqrt(1 - z^2), z its damping ratio', async () => {
  const [ratio, period] = [0.05, (2 * Math.PI) / beamFrequency(SIZE, E)];
  const heights = await endOf(ratio, 401, 100 / period);
  // Lowest half a period after each return, in multiples of the sag.
  const lowest = [0, 1, 2, 3].map((k) => Math.min(...heights.slice(100 * k, 100 * (k + 1))) / -SAG - 1);
  const decrement = Math.log(lowest[1] / lowest[3]) / 2;
  const expected = (2 * Math.PI * ratio) / Math.sqrt(1 - ratio ** 2);
  expect(Math.abs(decrement / expected - 1)).toBeLessThan(0.01);
});

it('a damped beam of links comes to rest with the sag of a slender beam', async () => {
  // Heavily damped, it soon hangs still.
  const hung = await endOf(0.7, 121, 60);
  expect(Math.abs(hung[120] / -SAG - 1)).toBeLessThan(5e-4);
});

it('a beam of links has hinge stiffness in proportion to E, damping to sqrt(E), and refuses zero width and a single hinge', () => {
  const of = (youngsModulus: number): (readonly number[])[] =>
    beamTies(SIZE, ({ E, ratio }) => ({ youngsModulus: E, dampingRatio: ratio })).map((tie) =>
      tie.compute({ E: youngsModulus, ratio: 0.02 }),
    );
  const [stiffness, damping] = of(E);
  const [stiffer, damped] = of(2 * E);
  const scene = createScene([articulated()]);
  addBeam(scene, { ...SIZE, youngsModulus: E, dampingRatio: 0.02 });
  const model = buildModel(scene);
  stiffness.forEach((value, k) => {
    expect(stiffer[k]).toBeCloseTo(2 * value, 6);
    expect(damped[k]).toBeCloseTo(Math.SQRT2 * damping[k], 9);
  });
  expect(Float64Array.from(model.field(Link.stiffness).values!)).toEqual(Float64Array.from(stiffness));
  expect(Float64Array.from(model.field(Link.damping).values!)).toEqual(Float64Array.from(damping));
  expect(() => addBeam(scene, { ...SIZE, youngsModulus: E, width: 0 })).toThrowCode({
    code: 'articulated/option-out-of-range',
    field: 'width',
    values: [0],
  });
  expect(() => addBeam(scene, { ...SIZE, youngsModulus: E, hinges: 1 })).toThrowCode({
    code: 'articulated/option-out-of-range',
    field: 'hinges',
    values: [1],
  });
});

it("errors name the links of a beam by the beam's name, or by number", () => {
  const scene = createScene([articulated()]);
  const [, second] = addBeam(scene, { ...SIZE, youngsModulus: E, name: 'rod' });
  const [first] = addBeam(scene, { ...SIZE, youngsModulus: E });
  expect(scene.describe(second)).toBe('link 1 of beam "rod"');
  expect(scene.describe(first)).toBe('link 0 of beam 0');
});
