import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import {
  LookAtCamera,
  layoutOf,
  OrbitCamera,
  PinholeCamera,
  type RenderOptions,
  render,
  toRows,
} from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

const SIZE = { width: 16, height: 16 };

function sceneOf(options: Partial<RenderOptions> = {}) {
  const scene = createScene([rigid(), render({ ...SIZE, camera: LookAtCamera, ...options }), softRas()]);
  // Longer along x than along z, and above the middle towards z.
  scene.add(Body, { mesh: box({ size: [1, 0.2, 0.4] }), mass: 1, position: [0.2, 0, 0.3] });
  return scene;
}

/** The picture of alpha, row by row. */
async function pictureOf(camera: object): Promise<Float64Array> {
  const scene = sceneOf();
  scene.add(LookAtCamera, camera);
  const model = buildModel(scene);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 30,
    substeps: 1,
    record: ['pixels.rgba'],
  });
  simulation.forward();
  return toRows(layoutOf(model), await simulation.readFrames('pixels.rgba'), 4).filter((_, k) => k % 4 === 3);
}
const differenceOf = (a: Float64Array, b: Float64Array): number => Math.max(...a.map((x, k) => Math.abs(x - b[k])));

describe('a camera that looks along its up vector', () => {
  it.each<[string, object, object]>([
    ['from above', { eye: [0, 3, 0] }, { eye: [0, 3, 1e-4] }],
    ['from below', { eye: [0, -3, 0] }, { eye: [0, -3, 1e-4] }],
    ['with z upwards', { eye: [0, 0, 3], up: [0, 0, 1] }, { eye: [0, -1e-4, 3], up: [0, 0, 1] }],
  ])('sees the same as a camera rotated slightly, %s', async (_, camera, beside) => {
    const picture = await pictureOf(camera);
    expect(Math.max(...picture)).toBeGreaterThan(0.9);
    expect(differenceOf(picture, await pictureOf(beside))).toBeLessThan(0.02);
  });
  it('along x has z to the right', async () => {
    const picture = await pictureOf({ eye: [3, 0, 0], up: [1, 0, 0] });
    const besideIt = await pictureOf({ eye: [3, 0, 0], up: [1, 1e-4, 0] });
    const turned = await pictureOf({ eye: [3, 0, 0], up: [0, -1, 0] });
    expect(Math.max(...picture)).toBeGreaterThan(0.9);
    expect(Math.min(differenceOf(picture, turned), differenceOf(picture, besideIt))).toBeLessThan(0.02);
  });
});

describe('refused', () => {
  it('a camera that sees nothing', () => {
    const scene = sceneOf();
    const add = (values: object) => () => scene.add(LookAtCamera, { eye: [0, 0, 3], ...values }, 'the camera');
    expect(add({ fieldOfView: Math.PI })).toThrow(
      `the camera: cameras.fieldOfView is ${Math.PI}. It must be above 0 and below pi.`,
    );
    expect(add({ fieldOfView: 0 })).toThrow('cameras.fieldOfView is 0');
    expect(add({ up: [0, 0, 0] })).toThrow('cameras.up is (0, 0, 0). It must point somewhere.');
    add({ eye: [1, 2, 3], target: [1, 2, 3] })();
    expect(() => buildModel(scene)).toThrow('the camera: cameras.eye and cameras.target are both (1, 2, 3)');
    const orbit = sceneOf({ camera: OrbitCamera });
    expect(() => orbit.add(OrbitCamera, { distance: 1, fieldOfView: 4 })).toThrow('cameras.fieldOfView is 4');
    const pinhole = sceneOf({ camera: PinholeCamera });
    const focal = { focalLength: [0, 1], principalPoint: [0, 0] };
    expect(() => pinhole.add(PinholeCamera, focal)).toThrow('cameras.focalLength is 0. It must be above 0.');
  });

  it.each<[object, string]>([
    [{ colors: 'rainbow' }, "render: colors is \"rainbow\". It must be 'face' or 'corner'."],
    [{ colours: 'face' }, 'render has no option "colours". Did you mean "colors"?'],
    [{ ambient: [1] }, 'render: ambient takes three numbers, red, green and blue; got [1].'],
    [{ camera: Body }, 'render: camera must be LookAtCamera, OrbitCamera, PinholeCamera'],
  ])('invalid options of render: %o', (options, message) => {
    expect(() => render({ ...SIZE, ...options } as never)).toThrow(message);
  });
  it.each<[object, string]>([
    [{ backgroundColor: [1] }, 'softRas: backgroundColor takes three numbers, red, green and blue; got [1].'],
    [{ background: 'imag' }, "softRas: background is \"imag\". It must be 'color' or 'image'."],
    [{ drawings: ['colour'] }, 'softRas: what drawings names is "colour". It must be \'color\''],
    [{ sigm: 1 }, 'softRas has no option "sigm". Did you mean "sigma"?'],
    [{ colors: 'face' }, 'softRas has no option "colors"'],
    [{ far: 1e39 }, 'far (1e+39) must lie'],
  ])('invalid options of softRas: %o', (options, message) => {
    expect(() => softRas(options as never)).toThrow(message);
  });
});
