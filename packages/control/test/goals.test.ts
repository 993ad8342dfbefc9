// Goals: what pictures and centres of mass cost, with derivatives that central differences confirm, and what is refused.

import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { imageLayout, OrbitCamera, pixelIndex, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { averagePosition, goalImages, goalPosition } from '../src/index.ts';

const [width, height, frames] = [16, 12, 3];
const layout = imageLayout({ width, height });
const RUN = { frames, frameRate: 10, substeps: 1, shapes: {} };

function pictured() {
  const scene = createScene([
    particles(),
    cloth(),
    averagePosition(Particle.position),
    render({ width, height }),
    softRas(),
  ]);
  addCloth(scene, plane({ size: [1, 1] }), { mu: 1, lambda: 1, mass: 1 });
  scene.add(OrbitCamera, { distance: 4, elevation: 0.5 });
  return buildModel(scene);
}
const model = pictured();

/** Picture of a soft disc: coverage exp(-d^2 / 6) at a distance of d pixels from (x, y). */
const disc = (x: number, y: number): Float64Array =>
  Float64Array.from({ length: width * height }, (_, k) =>
    Math.exp(-(((k % width) - x) ** 2 + (Math.floor(k / width) - y) ** 2) / 6),
  );
const image = (alpha: ArrayLike<number>) => ({ width, height, alpha });

/** Recorded frames of `rgba`, each with a soft disc at its place in the alpha channel. */
function recorded(places: readonly (readonly [number, number])[]): Float64Array {
  const rgba = new Float64Array(frames * layout.pixels * 4);
  places.forEach(([x, y], frame) => {
    disc(x, y).forEach((alpha, k) => {
      const pixel = pixelIndex(layout, 0, k % width, Math.floor(k / width));
      rgba[(frame * layout.pixels + pixel) * 4 + 3] = alpha;
    });
  });
  return rgba;
}
const evaluated = async (loss: ReturnType<typeof goalImages>, rgba: Float64Array) => loss.evaluate({ rgba }, RUN);

test('with `shape: 0`, the loss of a goal image is the squared distance of centres of coverage, over the squared width', async () => {
  const loss = goalImages(model, { images: [{ frame: 2, image: image(disc(9, 5)) }], shape: 0 });
  const { value } = await evaluated(
    loss,
    recorded([
      [2, 2],
      [2, 2],
      [6.5, 6.2],
    ]),
  );
  // The discs are cut off at the edges of the picture, which moves their middles a little.
  expect(value).toBeCloseTo((2.5 ** 2 + 1.2 ** 2) / width ** 2, 2);
});

test('pictures equal to the goal images have loss 0 and gradient 0', async () => {
  const images = [
    { frame: 0, image: image(disc(4, 5)) },
    { frame: 2, image: image(disc(9, 5)) },
  ];
  const { value, gradient } = await evaluated(
    goalImages(model, { images }),
    recorded([
      [4, 5],
      [1, 1],
      [9, 5],
    ]),
  );
  expect(value).toBe(0);
  expect(Array.from(gradient.rgba).every((g) => g === 0)).toBe(true);
});

test('the loss of two goal images has a gradient by the alpha channel that agrees with central differences', async () => {
  const images = [
    { frame: 0, image: image(disc(4, 5)) },
    { frame: 2, image: image(disc(9, 5)) },
  ];
  const loss = goalImages(model, { images, shape: 0.3, blur: 0.1 });
  const rgba = recorded([
    [5, 7],
    [1, 1],
    [3, 4],
  ]);
  const { gradient } = await evaluated(loss, rgba);
  const seed = 20260;
  const random = randomNumbers(seed);
  const direction = rgba.map((_, k) => (k % 4 === 3 ? random() - 0.5 : 0));
  const along = direction.reduce((sum, d, k) => sum + d * gradient.rgba[k], 0);
  const h = 1e-5;
  const [up, down] = await Promise.all(
    [h, -h].map((s) =>
      evaluated(
        loss,
        rgba.map((a, k) => a + s * direction[k]),
      ),
    ),
  );
  expect(Math.abs((up.value - down.value) / (2 * h) / along - 1), `seed ${seed}`).toBeLessThan(1e-6);
});

test('a picture without coverage has an infinite loss', async () => {
  const loss = goalImages(model, { images: [{ frame: 0, image: image(disc(4, 5)) }] });
  expect((await evaluated(loss, new Float64Array(frames * layout.pixels * 4))).value).toBe(Number.POSITIVE_INFINITY);
});

test('averagePosition is the mean of particle positions; goalPosition is a third of the squared distance at the last frame', async () => {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 10,
    substeps: 4,
    record: ['world.meanPosition'],
  });
  simulation.forward();
  const [x, y, z] = (await simulation.readFrames('world.meanPosition')).slice(-3);
  simulation.dispose();
  // Semi-implicit Euler falls by g dt^2 n (n + 1) / 2.
  expect([x, z]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
  expect(y).toBeCloseTo(-9.81 * (1 / 40) ** 2 * 10, 6);
  const { value, gradient } = await goalPosition([1, 2, 3]).evaluate(
    { position: Float64Array.of(9, 9, 9, 2, 4, 0) },
    RUN,
  );
  expect(value).toBeCloseTo((1 + 4 + 9) / 3, 12);
  expect(Array.from(gradient.position)).toEqual([0, 0, 0, 2 / 3, 4 / 3, -2]);
});

test.each([
  [
    { width: 8, height: 12, alpha: disc(4, 5) },
    { code: 'control/other-shape', values: [8, 12, 16] },
  ],
  [
    { width, height, alpha: [1, 2] },
    { code: 'control/wrong-size', values: [16, 12] },
  ],
  [image(disc(4, 5).map((a) => 2 * a)), { code: 'control/value-out-of-range', values: [0, 1] }],
  [image(new Float64Array(width * height)), 'control/nothing-shown'],
])('a goal image of wrong size, with alphas above 1, or without coverage is refused (case %#)', (wrong, expected) => {
  expect(() => goalImages(model, { images: [{ frame: 0, image: wrong }] })).toThrowCode(expected);
});

test('a goal image for a frame after the run and a goal position with NaN are refused', () => {
  const loss = goalImages(model, { images: [{ frame: 7, image: image(disc(4, 5)) }] });
  expect(() => loss.evaluate({ rgba: recorded([[1, 1]]) }, RUN)).toThrowCode({
    code: 'control/no-such-frame',
    values: [7, 3],
  });
  expect(() => goalPosition([1, Number.NaN, 0])).toThrowCode('control/value-not-finite');
});
