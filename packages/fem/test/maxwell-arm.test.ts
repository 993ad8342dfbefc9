import type { Device, Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { addSoftBody, fem, QuadraticTetArm, quadraticMesh, TetArm } from '@gradsim/fem';
import { tetBox } from '@gradsim/mesh';
import { Gravity, particles, RestPosition } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../../scripts/vitest/draws.ts';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';
import { quadraticTetArmForce, relaxQuadraticTetArm } from '../src/quadratic-arm-force.ts';
import { relaxTetArm, tetArmForce } from '../src/tet-arm-force.ts';

const seed = 17;
const tetrahedron = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tets: Uint32Array.of(0, 1, 2, 3),
};
const pair = {
  positions: Float64Array.of(0, 0, 0, 1, 0.1, 0, 0.1, 0.9, 0, 0, 0.1, 1.1, 1, 1, 0.9),
  tets: Uint32Array.of(0, 1, 2, 3, 1, 4, 2, 3),
};

describe.each(['linear', 'quadratic'] as const)('an element with a Maxwell arm, %s', (elements) => {
  // Held by masses of 1e9 kg, stretched by s along x: its Green strain is E = (s^2 - 1) / 2, the stress of the arm along
  // x is P = s 3/2 ratio mu q, and the sum of x times the force along x over the nodes is -V P. While E stays, q falls as
  // e^(-t / tau), exactly, from that of a strain that grew in the substep before, E (1 - e^-h) / h, h = dt / tau.
  const [mu, ratio, tau, rate, s] = [1000, 0.3, 0.02, 100, 1.2];
  const h = 1 / (rate * tau);

  it('relaxes after a step strain as e^(-t / tau)', async () => {
    const rest = elements === 'linear' ? tetrahedron.positions : quadraticMesh(tetrahedron).positions;
    const virials = async (arms: { ratio: number; relaxationTime: number }[]): Promise<number[]> => {
      const scene = createScene([particles(), fem()]);
      scene.add(Gravity, { acceleration: [0, 0, 0] });
      const positions = tetrahedron.positions.map((x, k) => (k % 3 === 0 ? s * x : x));
      const body = addSoftBody(scene, { ...tetrahedron, positions }, { elements, mu, lambda: 1500, mass: 1e9, arms });
      body.particles.forEach((particle, k) => {
        scene.attach(particle, RestPosition, { restPosition: [...rest.subarray(3 * k, 3 * k + 3)] });
      });
      const [frames, record] = [8, ['particles.velocity']];
      const settings = { device: f64Device(), frames, frameRate: rate, substeps: 1, record, onWarning: () => {} };
      const simulation = await createSimulation(buildModel(scene), settings);
      simulation.forward();
      const velocity = await simulation.readFrames('particles.velocity');
      simulation.dispose();
      const moment = (frame: number): number =>
        rest.reduce((sum, x, k) => (k % 3 === 0 ? sum + x * 1e9 * velocity[frame * rest.length + k] : sum), 0);
      return Array.from({ length: frames - 1 }, (_, f) => (moment(f + 1) - moment(f)) * rate);
    };
    const [without, withArm] = [await virials([]), await virials([{ ratio, relaxationTime: tau }])];
    withArm.forEach((virial, n) => {
      const q = (((s * s - 1) / 2) * (1 - Math.exp(-h)) * Math.exp(-n * h)) / h;
      expect((virial - without[n]) / ((-1 / 6) * s * 1.5 * ratio * mu * q), `substep ${n}`).toBeCloseTo(1, 6);
    });
  });

  const hung = (): Scene => {
    const scene = createScene([particles(), fem()]);
    addSoftBody(scene, tetBox({ cells: [1, 1, 1], size: [0.1, 0.1, 0.1] }), {
      elements,
      mu: 3000,
      lambda: 6000,
      damping: 2,
      density: 1000,
      velocity: [0.5, 1, 0.2],
      fixed: [0, 1],
      arms: [
        { ratio: 0.4, relaxationTime: 0.01 },
        { ratio: 0.2, relaxationTime: 0.05 },
      ],
    });
    return scene;
  };
  const domain = elements === 'linear' ? 'tet' : 'quadraticTet';
  const run = {
    frames: 4,
    frameRate: 30,
    substeps: elements === 'linear' ? 16 : 32,
    parameters: [`${domain}s.mu`, `${domain}Arms.ratio`, `${domain}Arms.relaxationTime`, 'particles.velocity'],
    outputs: ['particles.position'],
  };
  it('has gradients that agree with tangents and central differences', () => checkGradients(buildModel(hung()), run));
  const againstDoubles = async (opening: Device | Promise<Device>): Promise<void> => {
    const device = await opening;
    await checkDevices(buildModel(hung()), { ...run, devices: [device] });
    device.dispose();
  };
  it('agrees with doubles on the CPU', () => againstDoubles(cpuDevice()));
  // Kernels of both kinds share their formulas; shaders of quadratic ones take long to compile.
  if (elements === 'linear')
    it.skipIf(missingAdapter !== null)('agrees with doubles on WebGPU', () =>
      againstDoubles(webgpuDevice({ allowSoftware: true })),
    );
});

describe(`gradient checks of kernels of Maxwell arms (seed ${seed})`, () => {
  const random = randomBetween(seed);
  const positions = Array.from(quadraticMesh(pair).positions, (x) => x + random(-0.05, 0.05));
  const nodes = Array.from(quadraticMesh(pair).nodes);
  const time = { relaxationTime: [0.5, 2] } as const;
  const of = { mu: [1, 2], ratio: [0.1, 1] } as const;
  // A relaxation time of 0 is no material.
  const edges = { relaxationTime: [0.3] };
  const linear = {
    sizes: { tetArms: 2, tets: 2, particles: 5 },
    values: { element: [0, 1], vertices: [...pair.tets] },
    edges,
  };
  const quadratic = {
    sizes: { quadraticTetArms: 2, quadraticTets: 2, particles: positions.length / 3 },
    values: { element: [0, 1], nodes },
    edges,
  };
  it('force of linear ones', () =>
    checkKernel(tetArmForce(TetArm, 'previousDt'), { ...linear, ranges: { ...time, ...of } }));
  it('relaxation of linear ones', () => checkKernel(relaxTetArm(), { ...linear, ranges: time }));
  it('force of quadratic ones', () =>
    checkKernel(quadraticTetArmForce(QuadraticTetArm, 'previousDt'), { ...quadratic, ranges: { ...time, ...of } }));
  it('relaxation of quadratic ones', () => checkKernel(relaxQuadraticTetArm(), { ...quadratic, ranges: time }));
});
