import { ContactBox } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation, webgpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { missingAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import type { Shape, Thrown } from './scenes.ts';
import { emptyScene, flyingTogether, MATERIAL, SHAPES, throwBody } from './scenes.ts';

/** Norm of the vector part of the quaternion of a rotation by 45 degrees. */
const TURNED = Math.sin(Math.PI / 8);
/** Scalar part of the quaternion of a rotation by 45 degrees. */
const QUARTER = Math.cos(Math.PI / 8);
/** Quaternion (x, y, z, w) of a rotation by 45 degrees about x; `ABOUT_Z`: about z. */
const ABOUT_X = [TURNED, 0, 0, QUARTER];
const ABOUT_Z = [0, 0, TURNED, QUARTER];
/** Quaternion (x, y, z, w) that rotates the diagonal of a cube to the y axis, so that it stands on a corner. */
const ON_CORNER = [0.364705, 0, 0.279848, 0.88807];

const rollout = (parameters: readonly string[]) => ({
  frames: 7,
  frameRate: 30,
  substeps: 32,
  parameters: [
    ...['bodies.mass', 'bodies.position', 'bodies.orientation', 'bodies.velocity', 'bodies.angularVelocity'],
    ...parameters,
  ],
  outputs: ['bodies.position', 'bodies.orientation', 'bodies.velocity', 'bodies.angularVelocity'],
  seed: 3,
});
const OF_BOXES = ['boxes.size', 'boxes.ke', 'boxes.kd', 'boxes.kf', 'boxes.mu', 'boxes.position'];
const COLUMNS: Readonly<Record<Shape, readonly string[]>> = {
  sphere: ['spheres.radius', 'spheres.ke', 'spheres.mu'],
  box: OF_BOXES,
  capsule: ['capsules.radius', 'capsules.length', 'capsules.kd'],
  cone: ['meshes.ke', 'meshes.mu'],
};

const boxes = (...thrown: readonly Omit<Thrown, 'shape'>[]): Scene => {
  const scene = emptyScene();
  for (const one of thrown) throwBody(scene, { shape: 'box', ...one });
  return scene;
};

// Besides these, 240 random pairs were tried, seeds 1000 to 1239 of flyingTogether: all agreed.
describe('the gradient of contact between two bodies agrees with tangents and central differences', () => {
  const scenes: Readonly<Record<string, () => Scene>> = {
    'a box thrown at another': () =>
      boxes(
        { position: [0, 0, 0], angularVelocity: [0.3, 0.2, -0.1] },
        { position: [0.05, 0.22, 0.03], velocity: [0.2, -1.2, 0.1], orientation: [0.1, 0.3, 0.2, 1] },
      ),
    'face on face': () =>
      boxes({ position: [0, 0, 0] }, { position: [0.03, 0.1653, 0.05], velocity: [0.3, -0.6, 0.2] }),
    'face on face, crosswise': () =>
      boxes(
        { position: [0, 0, 0], size: [0.1, 0.1, 0.4] },
        { position: [0.01, 0.105, 0.02], size: [0.4, 0.1, 0.1], velocity: [0.1, -0.5, 0.05] },
      ),
    'edge on edge': () =>
      boxes(
        { position: [0, 0, 0], size: [0.2, 0.2, 0.4], orientation: ABOUT_Z },
        {
          position: [0.02, 0.29, 0.01],
          size: [0.4, 0.2, 0.2],
          orientation: ABOUT_X,
          velocity: [0.1, -0.8, 0],
        },
      ),
    'vertex on face': () =>
      boxes(
        { position: [0, 0, 0], size: [0.4, 0.1, 0.4] },
        {
          position: [0.02, 0.225, 0.01],
          size: [0.2, 0.2, 0.2],
          orientation: ON_CORNER,
          velocity: [0.2, -0.8, 0.1],
        },
      ),
    'box on a static box': () => {
      const scene = emptyScene([0, -9.81, 0]);
      scene.add(ContactBox, { position: [0, -0.1, 0], size: [1, 0.2, 1], ...MATERIAL });
      throwBody(scene, {
        shape: 'box',
        position: [0, 0.15, 0],
        orientation: [0.1, 0.2, 0.05, 1],
        velocity: [1, -1, 0],
      });
      return scene;
    },
  };
  for (const [name, scene] of Object.entries(scenes))
    it(`${name}`, async () => {
      const { parameters } = await checkGradients(buildModel(scene()), rollout(OF_BOXES));
      for (const column of ['ke', 'kd', 'kf'])
        expect(Math.abs(parameters[`boxes.${column}`].adjoint)).toBeGreaterThan(1e-9);
    });

  const pairs = SHAPES.flatMap((one, k) => SHAPES.slice(k).map((other): [Shape, Shape] => [one, other]));
  for (const [one, other] of pairs)
    it(`${one} on ${other}`, async () => {
      const scene = emptyScene();
      throwBody(scene, { shape: one, position: [0, 0, 0], orientation: [0.2, 0.1, 0.4, 1] });
      throwBody(scene, {
        shape: other,
        position: [0.03, 0.27, 0.02],
        orientation: [0.5, 0.2, -0.3, 1],
        velocity: [0, -1.5, 0],
      });
      const columns = [...new Set([...COLUMNS[one], ...COLUMNS[other]])];
      const { parameters } = await checkGradients(buildModel(scene), rollout(columns));
      expect(Math.abs(parameters['bodies.mass'].adjoint)).toBeGreaterThan(1e-9);
    });
});

describe('three colliding bodies', () => {
  const model = () => {
    const scene = emptyScene();
    for (const one of flyingTogether(7)) throwBody(scene, one);
    return buildModel(scene);
  };
  it('on the CPU agree between single and double precision, gradient included', async () => {
    const cpu = cpuDevice();
    await checkDevices(model(), { ...rollout([]), devices: [cpu] });
    cpu.dispose();
  });
  // Software drivers take long to compile contact kernels.
  it.skipIf(missingAdapter !== null)('(two boxes and a ball) agree on WebGPU with double precision', async () => {
    const scene = emptyScene();
    throwBody(scene, { shape: 'box', position: [0, 0, 0], orientation: [0.2, 0.1, 0.4, 1] });
    throwBody(scene, { shape: 'box', position: [0.03, 0.25, 0.02], velocity: [0, -1.5, 0] });
    throwBody(scene, { shape: 'sphere', position: [0.24, 0.1, 0.02], velocity: [-1, 0, 0] });
    const device = await webgpuDevice({ allowSoftware: true });
    await checkDevices(buildModel(scene), { ...rollout([]), frames: 3, devices: [device] });
    device.dispose();
  });
  it('have the same positions and gradients in one of several worlds as in a run alone', async () => {
    const speeds = [0.5, 1.5];
    const cpu = cpuDevice();
    const run = async (worlds: readonly number[]) => {
      const simulation = await createSimulation(model(), {
        device: cpu,
        frames: 7,
        frameRate: 30,
        substeps: 32,
        worlds: worlds.length,
        parameters: ['bodies.mass'],
        outputs: ['bodies.position'],
      });
      simulation.set(
        'bodies.mass',
        worlds.flatMap((m) => [m, 1, 2 - m]),
      );
      simulation.forward();
      simulation.backward({ 'bodies.position': Array(9 * worlds.length).fill(1) });
      const both = [await simulation.read('bodies.position'), await simulation.gradient('bodies.mass')];
      simulation.dispose();
      return both.map((one) => [...one]);
    };
    const together = await run(speeds);
    for (const [k, speed] of speeds.entries()) {
      const alone = await run([speed]);
      expect(together[0].slice(9 * k, 9 * k + 9)).toEqual(alone[0]);
      expect(together[1].slice(3 * k, 3 * k + 3)).toEqual(alone[1]);
    }
    cpu.dispose();
  });
});
