import type { Device } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, selectDevice } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { Body, BodyPush, Gravity, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';
import { moveBodyImplicitly } from '../src/motion.ts';

const SEED = seedOfRun('implicit spin');
console.info(`implicit spins of bodies: seed ${SEED}`);
type Numbers = readonly number[];
const sum = (v: Numbers): number => v.reduce((total, x) => total + x, 0);
const cross = (a: Numbers, b: Numbers): number[] =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
/** Returns v rotated by the quaternion (x, y, z, w). */
const turned = ([x, y, z, w]: Numbers, v: Numbers): number[] => {
  const t = cross([x, y, z], v).map((c) => 2 * c);
  const u = cross([x, y, z], t);
  return v.map((c, k) => c + w * t[k] + u[k]);
};
const turnedBack = ([x, y, z, w]: Numbers, v: Numbers): number[] => turned([-x, -y, -z, w], v);

const spinning = (moments: Numbers, angularVelocity: Numbers, options = { implicitSpin: true }) => {
  const scene = createScene([rigid(options)]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const inertia = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => (i === j ? moments[i] : 0)));
  scene.add(Body, { mass: 2, inertia, angularVelocity: [...angularVelocity] } as never, 'the top');
  return scene;
};
/** Runs a body and returns its final state: energy, angular momentum in the world, attitude, and what was warned of. */
async function ran(
  scene: ReturnType<typeof createScene>,
  moments: Numbers,
  { seconds, substeps = 480, device = f64Device() }: { seconds: number; substeps?: number; device?: Device },
) {
  const warnings: string[] = [];
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 2,
    frameRate: 1 / seconds,
    substeps: seconds * substeps,
    onWarning: (text) => warnings.push(text),
  });
  simulation.forward();
  const w = Array.from(await simulation.read(Body.angularVelocity));
  const q = Array.from(await simulation.read(Body.orientation));
  const { dt } = await simulation.stableStep();
  simulation.dispose();
  const own = turnedBack(q, w);
  const momentum = turned(
    q,
    own.map((x, k) => moments[k] * x),
  );
  return { energy: sum(own.map((x, k) => moments[k] * x * x)) / 2, momentum, q, w, dt, warnings };
}
const energyOf = (moments: Numbers, w: Numbers): number => sum(w.map((x, k) => moments[k] * x * x)) / 2;

it('keeps the energy of a body of moments 1 : 2 : 3 that spins about its middle axis, at 480 substeps', async () => {
  const moments = [1, 2, 3];
  for (const [speed, seconds] of [
    [30, 2],
    [40, 60],
  ]) {
    const w = [0.01, speed, 0];
    const { energy, momentum, warnings } = await ran(spinning(moments, w), moments, { seconds });
    expect(Math.abs(energy / energyOf(moments, w) - 1)).toBeLessThan(1e-11);
    const expected = w.map((x, k) => moments[k] * x);
    momentum.forEach((l, k) => {
      expect(Math.abs(l - expected[k])).toBeLessThan(1e-10 * 2 * speed);
    });
    expect(warnings).toEqual([]);
  }
  const explicit = await ran(spinning(moments, [0.01, 30, 0], { implicitSpin: false }), moments, { seconds: 2 });
  expect(explicit.energy / 900).toBeGreaterThan(1.1);
  expect(explicit.warnings.join()).toMatch(/implicitSpin/);
});

it('keeps energy and angular momentum in single precision, on cpu and on webgpu', async () => {
  const moments = [1, 2, 3];
  const w = [0.01, 40, 0];
  const devices = [cpuDevice(), ...(missingAdapter ? [] : [await selectDevice('webgpu')])];
  for (const device of devices) {
    const { energy, momentum } = await ran(spinning(moments, w), moments, { seconds: 20, device });
    // 9600 substeps, each with a few roundings of 6e-8.
    expect(Math.abs(energy / energyOf(moments, w) - 1)).toBeLessThan(1e-3);
    expect(Math.abs(momentum[1] / 80 - 1)).toBeLessThan(1e-3);
    device.dispose();
  }
});

it('converges with the square of the substep, for any moments and spin', async () => {
  const random = randomNumbers(SEED);
  for (let draw = 0; draw < 4; draw++) {
    const [a, b, c] = [0.2 + random(), 0.2 + random(), 0.2 + random()];
    const moments = [b + c, a + c, a + b];
    const w = moments.map(() => 12 * (random() - 0.5));
    const ends: number[][] = [];
    for (const substeps of [200, 400, 800])
      ends.push((await ran(spinning(moments, w), moments, { seconds: 1, substeps })).q);
    const gap = (i: number, j: number): number => Math.hypot(...ends[i].map((x, k) => x - ends[j][k]));
    const [coarse, fine] = [gap(0, 1), gap(1, 2)];
    if (coarse > 1e-9) expect(coarse / fine, `${moments}, ${w}`).toBeCloseTo(4, 0);
  }
});

it('turns spheres and wheels by their spin exactly, and leaves bodies at rest as they are', async () => {
  for (const moments of [
    [2, 2, 2],
    [1, 1, 1.5],
  ]) {
    const { q, w } = await ran(spinning(moments, [0, 0, 20]), moments, { seconds: 1, substeps: 200 });
    const half = 10;
    [0, 0, Math.sin(half), Math.cos(half)].forEach((x, k) => {
      expect(Math.abs(Math.abs(q[k]) - Math.abs(x))).toBeLessThan(1e-9);
    });
    expect(w).toEqual([0, 0, 20]);
  }
  const still = await ran(spinning([1, 2, 3], [0, 0, 0]), [1, 2, 3], { seconds: 1 });
  expect([...still.q, ...still.w]).toEqual([0, 0, 0, 1, 0, 0, 0]);
});

it('limits the substep to a radian of rotation, and not at all without a gyroscopic torque', async () => {
  const { dt } = await ran(spinning([1, 2, 3], [0, 30, 0]), [1, 2, 3], { seconds: 1 });
  expect(Math.abs(dt * 30 - 1)).toBeLessThan(1e-5);
  const cube = await ran(spinning([2, 2, 2], [100, 30, 0]), [2, 2, 2], { seconds: 1 });
  expect(cube.dt).toBeGreaterThan(1);
});

it('has a kernel whose derivatives agree with differences, at rest too', async () => {
  const carries = ['positionCarry', 'orientationCarry', 'velocityCarry', 'angularVelocityCarry'];
  await checkKernel(moveBodyImplicitly(), {
    seed: SEED,
    constants: [...carries, 'fixed'],
    values: {
      fixed: [0, 0, 1],
      gyration: [2, 0.1, 0, 0.1, 3, 0.2, 0, 0.2, 4],
      inverseGyration: [0.5, 0.02, 0, 0.02, 0.3, 0.01, 0, 0.01, 0.25],
      ...Object.fromEntries(carries.map((c) => [c, [0]])),
    },
    ranges: { totalMass: [0.5, 2], drag: [0, 1] },
    edges: { velocity: [0], angularVelocity: [0], force: [0], torque: [0] },
  });
});

const pushed = () => {
  const scene = createScene([rigid({ implicitSpin: true })]);
  const inertia = [1, 0.1, 0, 0.1, 2, -0.1, 0, -0.1, 2.5];
  const body = scene.add(Body, { mass: 2, inertia, angularVelocity: [3, 9, -2], velocity: [1, 0, 2] });
  scene.add(BodyPush, { body, force: [5, 0, 3], point: [0.1, 0.4, 0], start: 0.0531, end: 0.2042 });
  scene.add(Body, { mass: 1, inertia: [2, 0, 0, 0, 2, 0, 0, 0, 2] });
  return buildModel(scene);
};
const rollout = {
  frames: 4,
  frameRate: 10,
  substeps: 10,
  seed: SEED,
  parameters: [
    ...[Body.mass, Body.inertia, Body.orientation, Body.angularVelocity, Body.velocity],
    ...[BodyPush.force, BodyPush.point, BodyPush.start],
  ],
  outputs: [Body.orientation, Body.angularVelocity, Body.position],
};
it('has adjoints of runs that agree with tangents and central differences', () => checkGradients(pushed(), rollout));
it('has states and derivatives in single precision that agree with doubles, on webgpu too', async () => {
  const devices = [cpuDevice(), ...(missingAdapter ? [] : [await selectDevice('webgpu')])];
  // Derivatives by the time of a push are those of a step: rounding of times moves them.
  const parameters = rollout.parameters.filter((one) => one !== BodyPush.start);
  await checkDevices(pushed(), { ...rollout, parameters, devices });
  for (const device of devices) device.dispose();
});

it('is refused where another plugin moves bodies, and where it is neither true nor false', () => {
  expect(() => rigid({ integrator: 'none', implicitSpin: true })).toThrowCode({
    code: 'rigid/option-unused',
    field: 'implicitSpin',
    values: ["'none'"],
  });
  expect(() => rigid({ implicitSpin: 1 as never })).toThrowCode({
    code: 'rigid/option-out-of-range',
    field: 'implicitSpin',
    values: [1],
  });
});
