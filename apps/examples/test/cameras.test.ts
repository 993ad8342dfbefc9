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
import { describe, type ExpectedError, expect, it } from 'vitest';

const SIZE = { width: 16, height: 16 };

function sceneOf(options: Partial<RenderOptions> = {}) {
  const scene = createScene([rigid(), render({ ...SIZE, camera: LookAtCamera, ...options }), softRas()]);
  // Longer along x than along z, and above the middle towards z.
  scene.add(Body, { mesh: box({ size: [1, 0.2, 0.4] }), mass: 1, position: [0.2, 0, 0.3] });
  return scene;
}

/** Renders a scene, and returns alpha, row by row. */
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
  ])('sees nearly the same as one whose eye is 0.1 mm aside, %s', async (_, camera, beside) => {
    const picture = await pictureOf(camera);
    expect(Math.max(...picture)).toBeGreaterThan(0.9);
    expect(differenceOf(picture, await pictureOf(beside))).toBeLessThan(0.02);
  });
  it('along x sees the same as with an up vector slightly aside, or with up = -y', async () => {
    const picture = await pictureOf({ eye: [3, 0, 0], up: [1, 0, 0] });
    const besideIt = await pictureOf({ eye: [3, 0, 0], up: [1, 1e-4, 0] });
    const turned = await pictureOf({ eye: [3, 0, 0], up: [0, -1, 0] });
    expect(Math.max(...picture)).toBeGreaterThan(0.9);
    expect(Math.min(differenceOf(picture, turned), differenceOf(picture, besideIt))).toBeLessThan(0.02);
  });
});

describe('are refused:', () => {
  it('cameras with fields of view of 0, pi or more, a zero up vector, the eye at the target, or a focal length of 0', () => {
    const scene = sceneOf();
    const add = (values: object) => () => scene.add(LookAtCamera, { eye: [0, 0, 3], ...values }, 'the camera');
    expect(add({ fieldOfView: Math.PI })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'cameras.fieldOfView',
      element: 'the camera',
      values: [Math.PI],
    });
    expect(add({ fieldOfView: 0 })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'cameras.fieldOfView',
      values: [0],
    });
    expect(add({ up: [0, 0, 0] })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'cameras.up',
      values: ['(0, 0, 0)'],
    });
    add({ eye: [1, 2, 3], target: [1, 2, 3] })();
    expect(() => buildModel(scene)).toThrowCode({
      code: 'render/camera-at-target',
      field: 'cameras.eye',
      element: 'the camera',
      values: ['(1, 2, 3)', 'cameras.target'],
    });
    const orbit = sceneOf({ camera: OrbitCamera });
    expect(() => orbit.add(OrbitCamera, { distance: 1, fieldOfView: 4 })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'cameras.fieldOfView',
      values: [4],
    });
    const pinhole = sceneOf({ camera: PinholeCamera });
    const focal = { focalLength: [0, 1], principalPoint: [0, 0] };
    expect(() => pinhole.add(PinholeCamera, focal)).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'cameras.focalLength',
      values: [0],
    });
  });

  it.each<[object, ExpectedError]>([
    [{ colors: 'rainbow' }, { code: 'base/unknown-choice', values: ['"rainbow"'] }],
    [{ colours: 'face' }, { code: 'base/unknown-option', values: ['"colours"', '"colors"', 'render'] }],
    [{ ambient: [1] }, { code: 'render/wrong-size', values: ['[1]', 'render'] }],
    [
      { camera: Body },
      { code: 'render/unknown-choice', field: 'camera', values: ['LookAtCamera, OrbitCamera, PinholeCamera'] },
    ],
  ])('invalid options of render: %o', (options, expected) => {
    expect(() => render({ ...SIZE, ...options } as never)).toThrowCode(expected);
  });
  it.each<[object, ExpectedError]>([
    [{ backgroundColor: [1] }, { code: 'render/wrong-size', values: ['[1]', 'softRas'] }],
    [{ background: 'imag' }, { code: 'base/unknown-choice', values: ['"imag"', 'softRas'] }],
    [{ drawings: ['colour'] }, { code: 'base/unknown-choice', values: ['"colour"', 'softRas'] }],
    [{ sigm: 1 }, { code: 'base/unknown-option', values: ['"sigm"', '"sigma"', 'softRas'] }],
    [{ colors: 'face' }, { code: 'base/unknown-option', values: ['"colors"', 'softRas'] }],
    [{ far: 1e39 }, { code: 'render/option-out-of-range', values: ['1e+39'] }],
  ])('invalid options of softRas: %o', (options, expected) => {
    expect(() => softRas(options as never)).toThrowCode(expected);
  });
});
