import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, definePlugin, f64Device, Surfaces, vec3 } from '@gradsim/core';
import { describe, type ExpectedError, expect, it } from 'vitest';
import type { CameraKind, RenderOptions } from '../src/index.ts';
import { DirectionalLight, LookAtCamera, layoutOf, OrbitCamera, PinholeCamera, render } from '../src/index.ts';

/** Plugin with a static surface, over a domain of its own. */
const still = (points: readonly number[], triangles: readonly number[], triangleColors?: readonly number[]) =>
  definePlugin({
    name: 'still',
    contract: 1,
    offers: [Surfaces],
    build: ({ model }) => {
      model.addDomain('points', points.length / 3);
      const position = model.addField('points', 'position', vec3, { values: points });
      model.offer(Surfaces, { position, triangles, triangleColors });
    },
  });

const POINTS = [0.3, 0.4, -0.2, -0.5, 0.1, 0.3, 0.2, -0.6, 0.1];

function modelOf(options: RenderOptions, fill: (scene: Scene) => void) {
  const scene = createScene([still(POINTS, [0, 1, 2], [0.8, 0.4, 0.2]), render(options)]);
  fill(scene);
  return buildModel(scene);
}

async function see(camera: CameraKind, values: object, size = { width: 40, height: 20 }) {
  const model = modelOf({ ...size, camera }, (scene) => scene.add(camera as typeof OrbitCamera, values));
  const parameters = ['points.position', ...Object.keys(values).map((name) => `cameras.${name}`)];
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    parameters,
    record: ['viewVertices.ndc'],
  });
  simulation.forward();
  return { simulation, parameters, ndc: await simulation.readFrames('viewVertices.ndc') };
}

const expectNear = (got: ArrayLike<number>, wanted: readonly number[]): void => {
  wanted.forEach((value, k) => expect(got[k]).toBeCloseTo(value, 12));
};

describe('cameras', () => {
  const fieldOfView = 0.8;
  const scale = 1 / Math.tan(fieldOfView / 2);

  it('an orbit camera at azimuth 0 looks along -z, x right and y up; x is divided by width / height', async () => {
    const { ndc } = await see(OrbitCamera, { distance: 3, fieldOfView });
    // Point 0 is at depth 3 - z; the picture is twice as wide as high.
    expectNear(ndc, [(0.3 * scale) / 3.2 / 2, (0.4 * scale) / 3.2, 3.2]);
  });

  it('an orbit camera moves to +x with the azimuth and up with the elevation, as a look-at camera there', async () => {
    const [elevation, azimuth, distance] = [0.4, 0.9, 3];
    const orbit = await see(OrbitCamera, {
      distance,
      elevation,
      azimuth,
      fieldOfView,
      target: [0.1, 0.2, 0.3],
    });
    const eye = [
      0.1 + distance * Math.cos(elevation) * Math.sin(azimuth),
      0.2 + distance * Math.sin(elevation),
      0.3 + distance * Math.cos(elevation) * Math.cos(azimuth),
    ];
    const lookAt = await see(LookAtCamera, { eye, target: [0.1, 0.2, 0.3], fieldOfView });
    expectNear(orbit.ndc, Array.from(lookAt.ndc));
  });

  it('a roll of pi / 2 takes (x, y) in a square picture to (y, -x)', async () => {
    const square = { width: 20, height: 20 };
    const { ndc: straight } = await see(OrbitCamera, { distance: 3, fieldOfView }, square);
    const { ndc: rolled } = await see(OrbitCamera, { distance: 3, fieldOfView, roll: Math.PI / 2 }, square);
    expectNear(rolled, [straight[1], -straight[0], straight[2]]);
  });

  it('a pinhole camera projects R p + t to pixel (fx x/z + cx, fy y/z + cy)', async () => {
    // R turns by pi about x: x right, y down, z forward for a camera that looks along -z.
    const { ndc } = await see(PinholeCamera, {
      rotation: [1, 0, 0, 0],
      translation: [0, 0, 3],
      focalLength: [50, 60],
      principalPoint: [18, 11],
    });
    const column = (50 * 0.3) / 3.2 + 18;
    const row = (60 * -0.4) / 3.2 + 11;
    expectNear(ndc, [(2 * column + 1 - 40) / 40, (20 - 1 - 2 * row) / 20, 3.2]);
  });

  it('a lens with distortion moves x to x (1 + k1 r^2 + k2 r^4) on the plane of depth 1, as in OpenCV', async () => {
    const distortion = [0.3, -0.2];
    const { ndc } = await see(PinholeCamera, {
      rotation: [1, 0, 0, 0],
      translation: [0, 0, 3],
      distortion,
      focalLength: [50, 60],
      principalPoint: [18, 11],
    });
    const [x, y] = [0.3 / 3.2, -0.4 / 3.2];
    const r2 = x * x + y * y;
    const factor = 1 + 0.3 * r2 - 0.2 * r2 * r2;
    const [column, row] = [50 * x * factor + 18, 60 * y * factor + 11];
    expectNear(ndc, [(2 * column + 1 - 40) / 40, (20 - 1 - 2 * row) / 20, 3.2]);
  });

  it('k3 and tangential terms are those of OpenCV', async () => {
    // A point at (0.3, 0.4, -0.2) of the world, 3.2 m before the camera; the pixel by Brown's formulas, y downwards.
    const [k1, k2, p1, p2, k3] = [0.9, -1.2, 0.03, -0.05, 7];
    const { ndc } = await see(PinholeCamera, {
      rotation: [1, 0, 0, 0],
      translation: [0, 0, 3],
      focalLength: [50, 60],
      principalPoint: [18, 11],
      distortion: [k1, k2],
      k3,
      tangential: [p1, p2],
    });
    const [x, y] = [0.3 / 3.2, -0.4 / 3.2];
    const r2 = x * x + y * y;
    const factor = 1 + k1 * r2 + k2 * r2 ** 2 + k3 * r2 ** 3;
    const column = 50 * (x * factor + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + 18;
    const row = 60 * (y * factor + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + 11;
    expectNear(ndc, [(2 * column + 1 - 40) / 40, (20 - 1 - 2 * row) / 20, 3.2]);
  });

  it.each([
    [-0.3, 0, 0],
    [-0.8, 0.3, 0],
    [0.1, -0.2, 0],
    [0.1, 0.2, 0],
    [0.1, 0.2, -0.05],
    [-0.5, 0.3, -0.1],
    [-0.8, 0.3, 0.1],
    [0.3, -0.2, 0.002],
    [0, 0, -0.01],
  ])('the projection grows outwards to x / z = 3.9, for k1, k2, k3 = %f, %f, %f', async (k1, k2, k3) => {
    const out = async (x: number): Promise<number> => {
      const scene = createScene([still([x, 0, -1, 0, 1, -1, 0, 0, -1], [0, 1, 2]), render({ width: 8, height: 8 })]);
      scene.add(OrbitCamera, { distance: 1, distortion: [k1, k2], k3, fieldOfView: Math.PI / 2 });
      const simulation = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 1,
        frameRate: 1,
        substeps: 1,
        record: ['viewVertices.ndc'],
      });
      simulation.forward();
      return (await simulation.readFrames('viewVertices.ndc'))[0];
    };
    const places: number[] = [];
    for (let x = 0; x < 8; x += 0.25) places.push(await out(x));
    places.slice(1).forEach((place, k) => expect(place).toBeGreaterThan(places[k]));
  });

  it.each([
    [
      'orbit',
      OrbitCamera,
      {
        distance: 3,
        elevation: 0.3,
        azimuth: -0.4,
        roll: 0.1,
        fieldOfView: 0.7,
        target: [0.1, 0, 0.2],
        distortion: [0.2, -0.1],
      },
    ],
    [
      'orbit, beyond the edge of the distortion',
      OrbitCamera,
      { distance: 0.7, fieldOfView: 0.7, distortion: [-0.9, 0.1] },
    ],
    [
      'orbit, beyond the edge of three terms',
      OrbitCamera,
      { distance: 0.7, fieldOfView: 0.7, distortion: [-0.9, 0.1], k3: -0.4, tangential: [0.02, -0.01] },
    ],
    ['look-at', LookAtCamera, { eye: [1, 2, 3], target: [0.1, 0, 0.2], up: [0.1, 1, 0], roll: 0.2, fieldOfView: 0.7 }],
    [
      'pinhole',
      PinholeCamera,
      {
        rotation: [0.99, 0.1, 0.05, 0.2],
        translation: [0.1, 0.2, 3],
        focalLength: [50, 60],
        principalPoint: [18, 11],
        distortion: [0.2, 0.1],
        k3: -0.3,
        tangential: [0.01, 0.03],
      },
    ],
  ] as const)('%s: derivatives agree with central differences', async (_, camera, values) => {
    const { simulation, parameters, ndc } = await see(camera, values);
    const weights = ndc.map((__, k) => Math.sin(k + 1));
    simulation.backward({ 'viewVertices.ndc': weights });
    const gradients = await Promise.all(parameters.map((key) => simulation.gradient(key)));
    for (const [p, key] of parameters.entries()) {
      const base = Float64Array.from(simulation.model.field(key).values!);
      for (let k = 0; k < base.length; k++) {
        const at = async (x: number): Promise<number> => {
          simulation.set(key, base.with(k, x));
          simulation.forward();
          return (await simulation.readFrames('viewVertices.ndc')).reduce((sum, v, e) => sum + v * weights[e], 0);
        };
        const difference = ((await at(base[k] + 1e-5)) - (await at(base[k] - 1e-5))) / 2e-5;
        expect(Math.abs(gradients[p][k] - difference), `${key}[${k}]`).toBeLessThan(
          1e-7 * Math.max(1, Math.abs(difference)),
        );
      }
      simulation.set(key, base);
    }
  });
});

describe('diffuse light', () => {
  it('is albedo (ambient + light n.l) on flat faces, with derivatives of light, albedo and shape', async () => {
    const model = modelOf({ width: 8, height: 8, ambient: [0.2, 0.3, 0.4] }, (scene) => {
      scene.add(OrbitCamera, { distance: 3 });
      scene.add(DirectionalLight, { direction: [0.5, 1, 2], color: [0.9, 0.8, 0.7] });
    });
    const parameters = ['points.position', 'faces.albedo', 'lights.direction', 'lights.color', 'world.ambient'];
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 1,
      frameRate: 1,
      substeps: 1,
      parameters,
      record: ['faces.color'],
    });
    simulation.forward();
    const color = await simulation.readFrames('faces.color');
    const [a, b, c] = [0, 1, 2].map((v) => POINTS.slice(3 * v, 3 * v + 3));
    const [u, v] = [b, c].map((p) => p.map((x, k) => x - a[k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const cosine = (normal[0] * 0.5 + normal[1] + normal[2] * 2) / Math.hypot(...normal) / Math.hypot(0.5, 1, 2);
    const lit = Math.max(0, cosine);
    expect(lit).toBeGreaterThan(0.1);
    expectNear(color, [0.8 * (0.2 + 0.9 * lit), 0.4 * (0.3 + 0.8 * lit), 0.2 * (0.4 + 0.7 * lit)]);
    const weights = [0.3, -0.7, 1.1];
    simulation.backward({ 'faces.color': weights });
    const gradients = await Promise.all(parameters.map((key) => simulation.gradient(key)));
    for (const [p, key] of parameters.entries()) {
      const base = Float64Array.from(model.field(key).values!);
      for (let k = 0; k < base.length; k++) {
        const at = async (x: number): Promise<number> => {
          simulation.set(key, base.with(k, x));
          simulation.forward();
          return (await simulation.readFrames('faces.color')).reduce((sum, value, e) => sum + value * weights[e], 0);
        };
        const difference = ((await at(base[k] + 1e-5)) - (await at(base[k] - 1e-5))) / 2e-5;
        expect(Math.abs(gradients[p][k] - difference), `${key}[${k}]`).toBeLessThan(1e-8);
      }
      simulation.set(key, base);
    }
  });
});

describe('render refuses', () => {
  it('a scene without a camera, with two lights, or without surfaces', () => {
    expect(() => modelOf({ width: 8, height: 8 }, () => {})).toThrowCode('render/no-camera');
    expect(() =>
      modelOf({ width: 8, height: 8 }, (scene) => {
        scene.add(OrbitCamera, { distance: 1 });
        scene.add(DirectionalLight, { direction: [0, 1, 0] });
        scene.add(DirectionalLight, { direction: [0, 1, 0] });
      }),
    ).toThrowCode({ code: 'render/second-light', element: 'light 1' });
    const empty = createScene([render({ width: 8, height: 8 })]);
    empty.add(OrbitCamera, { distance: 1 });
    expect(() => buildModel(empty)).toThrowCode('render/no-surface');
  });

  const singular: [string, CameraKind, object, ExpectedError][] = [
    [
      'an eye at its target',
      LookAtCamera,
      { eye: [1, 2, 3], target: [1, 2, 3] },
      { code: 'render/camera-at-target', element: 'the camera', values: ['(1, 2, 3)'] },
    ],
    [
      'a field of view of 45 rad',
      OrbitCamera,
      { distance: 1, fieldOfView: 45 },
      { code: 'core/value-out-of-range', field: 'cameras.fieldOfView', element: 'the camera', values: [45] },
    ],
    [
      'a quaternion of zeros',
      PinholeCamera,
      { rotation: [0, 0, 0, 0], focalLength: [9, 9], principalPoint: [4, 4] },
      { code: 'core/value-out-of-range', field: 'cameras.rotation', element: 'the camera', values: ['(0, 0, 0, 0)'] },
    ],
    [
      'a focal length of 0',
      PinholeCamera,
      { focalLength: [9, 0], principalPoint: [4, 4] },
      { code: 'core/value-out-of-range', field: 'cameras.focalLength', element: 'the camera', values: [0] },
    ],
  ];
  it.each(singular)('a singular camera: %s', (_, camera, values, expected) => {
    expect(() =>
      modelOf({ width: 8, height: 8, camera }, (scene) =>
        scene.add(camera as typeof OrbitCamera, values, 'the camera'),
      ),
    ).toThrowCode(expected);
  });

  it('the picture layout of a model without pictures', () => {
    expect(() => layoutOf(buildModel(createScene([])))).toThrowCode('render/no-pictures');
  });
});
