import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { LookAtCamera, OrbitCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { filmCamera, projectedOutline } from '../../src/index.ts';

const SIZE = { width: 320, height: 240 };
const CAMERA = { eye: [0.4, 1.1, 2.5], target: [0, 0.6, 0.1], fieldOfView: 0.8 };
const DISTORTION = { distortion: [-0.2, 0.05] };
const NOT_CENTRED = { distortion: [-0.2, 0.05], k3: -0.01, tangential: [0.006, -0.008] };
/** Lens with strong distortion, for which the second-order error of a large ball's outline is 3.6 % of its size. */
const ALL_TERMS = { distortion: [-0.2, 0.06], k3: -0.03, tangential: [0.02, -0.03] };
const BALL = { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] };

/** Lens values of a camera. */
type Lens = Partial<typeof ALL_TERMS>;

function scene(position: readonly number[], radius: number, lens: Lens = {}) {
  const made = createScene([
    rigid(),
    projectedOutline({ ...SIZE, camera: LookAtCamera, centre: Body.position, radius }),
  ]);
  made.add(Body, { ...BALL, position });
  made.add(LookAtCamera, { ...CAMERA, ...lens });
  return made;
}

/** Middle and size of a ball's picture, from the area enclosed by the projections of many of its points. */
async function seen(position: readonly number[], radius: number, lens: Lens): Promise<number[]> {
  const camera = await filmCamera(LookAtCamera, { ...CAMERA, ...lens }, SIZE);
  const away = camera.position.map((c, k) => position[k] - c);
  const far = Math.hypot(...away);
  // Visible rim: a circle about the line of sight, at r^2 / distance before the centre.
  const unit = away.map((c) => c / far);
  const side = [unit[2], 0, -unit[0]].map((c) => c / Math.hypot(unit[0], unit[2]));
  const above = [0, 1, 2].map((k) => side[(k + 1) % 3] * unit[(k + 2) % 3] - side[(k + 2) % 3] * unit[(k + 1) % 3]);
  const rim = radius * Math.sqrt(1 - (radius / far) ** 2);
  const corners = Array.from({ length: 2000 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 2000;
    return camera.project(
      position.map(
        (c, k) => c - (radius ** 2 / far) * unit[k] + rim * (Math.cos(angle) * side[k] + Math.sin(angle) * above[k]),
      ),
    );
  });
  let [area, x, y] = [0, 0, 0];
  corners.forEach(([a, b], i) => {
    const [c, d] = corners[(i + 1) % corners.length];
    const twice = a * d - b * c;
    area += twice / 2;
    x += ((a + c) * twice) / 6;
    y += ((b + d) * twice) / 6;
  });
  return [x / area, y / area, Math.sqrt(Math.abs(area) / Math.PI)];
}

/** Middle and size of a ball's outline, as the plugin computes them. */
async function centroidAndSize(position: readonly number[], radius: number, lens: Lens): Promise<ArrayLike<number>> {
  const simulation = await createSimulation(buildModel(scene(position, radius, lens)), {
    device: f64Device(),
    frames: 1,
    frameRate: 30,
    substeps: 1,
    record: ['world.outlineCentroidAndSize'],
  });
  simulation.forward();
  const found = await simulation.readFrames('world.outlineCentroidAndSize');
  simulation.dispose();
  return found;
}

// The distortion of a lens varies over the outline, and is linearised at the middle: an error of second order in its
// size.
it.each([
  ['a pinhole', {}, 1e-4],
  ['a lens that distorts much', DISTORTION, 0.03],
  ['a lens with three radial terms that is not centred', NOT_CENTRED, 0.03],
] as const)('a ball has the outline of its projected rim, to 3 %, through %s', async (_, lens: Lens, tolerance) => {
  for (const [position, radius] of [
    [[0.1, 0.7, 0.2], 0.1],
    [[-0.9, 0.2, -0.5], 0.05],
    [[0.7, 1.4, 0.4], 0.2],
  ] as const) {
    const found = await centroidAndSize(position, radius, lens);
    (await seen(position, radius, lens)).forEach((value, k) => {
      expect(Math.abs(found[k] - value)).toBeLessThan(tolerance * found[2]);
    });
  }
});

it.each([
  [[0.4, 1.1, 4], { code: 'core/alarm', values: [/1\.4\d*/] }],
  [[0.4, 1.1, 2.45], { code: 'core/alarm', values: [/0\.0\d+/] }],
] as const)('a ball at %j, behind the camera or around it, is an error that states its depth', async (at, expected) => {
  const simulation = await createSimulation(buildModel(scene(at, 0.1)), {
    device: f64Device(),
    frames: 2,
    frameRate: 30,
    substeps: 1,
    record: ['world.outlineCentroidAndSize'],
  });
  simulation.forward();
  await expect(simulation.readRecord('world.outlineCentroidAndSize')).rejects.toThrowCode(expected);
});

it('the middle of the outline of a ball has an error of second order in its radius, through a lens with strong distortion', async () => {
  const position = [-0.7, 0.3, -0.2];
  const errors: number[] = [];
  for (const radius of [0.08, 0.04]) {
    const found = await centroidAndSize(position, radius, ALL_TERMS);
    const [x, y] = await seen(position, radius, ALL_TERMS);
    errors.push(Math.hypot(found[0] - x, found[1] - y));
  }
  // An error in the lens, or in the middle, does not vanish with the ball's size.
  expect(errors[1] / errors[0]).toBeGreaterThan(0.2);
  expect(errors[1] / errors[0]).toBeLessThan(0.3);
});

it('gradients of the outline of a ball by position, radius and camera agree with tangents and central differences', async () => {
  const report = await checkGradients(buildModel(scene([0.1, 0.7, 0.2], 0.1, ALL_TERMS)), {
    frames: 1,
    frameRate: 30,
    substeps: 1,
    parameters: [
      'bodies.position',
      'world.outlineRadius',
      'cameras.eye',
      'cameras.fieldOfView',
      'cameras.distortion',
      'cameras.k3',
      'cameras.tangential',
    ],
    outputs: ['world.outlineCentroidAndSize', 'outlineRays.reach'],
  });
  expect(report).toBeDefined();
});

it('projectedOutline() refuses a radius of 0, unknown options, two bodies, and a scene without the camera', () => {
  const options = { ...SIZE, camera: LookAtCamera, centre: Body.position, radius: 0.1 };
  expect(() => projectedOutline({ ...options, radius: 0 })).toThrowCode({
    code: 'film/option-out-of-range',
    field: 'radius',
    values: [0],
  });
  expect(() => projectedOutline({ ...options, radios: 1 } as object as typeof options)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"radius"'],
  });
  const two = scene([0, 0, 0], 0.1);
  two.add(Body, { ...BALL, position: [1, 0, 0] });
  expect(() => buildModel(two)).toThrowCode({ code: 'film/one-camera', values: [2, 1, 'bodies'] });
  const other = createScene([rigid(), projectedOutline({ ...options, camera: OrbitCamera })]);
  other.add(Body, { ...BALL, position: [0, 0, 0] });
  expect(() => buildModel(other)).toThrowCode({ code: 'film/one-camera', values: [1, 0, 'bodies'] });
});
