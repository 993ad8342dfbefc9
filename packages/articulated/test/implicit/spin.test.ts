import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Device, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device, selectDevice } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { Body, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { missingAdapter } from '../../../kernel/test/webgpu-adapter.ts';

const SEED = seedOfRun('implicit spin');
console.info(`implicit spins of free joints: seed ${SEED}`);
type Numbers = readonly number[];
const diagonal = ([a, b, c]: Numbers): number[] => [a, 0, 0, 0, b, 0, 0, 0, c];
const weightless = (plugins: Parameters<typeof createScene>[0]): Scene => {
  const scene = createScene(plugins);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return scene;
};
const spinning = (values: object): Scene => {
  const scene = weightless([articulated({ implicitSpin: true })]);
  scene.add(Link, { joint: 'free', mass: 2, inertia: diagonal([1, 2, 3]), ...values } as never, 'the top');
  return scene;
};
/** Runs a scene and returns the states that it ends with. */
async function ran(
  scene: Scene,
  { seconds, substeps = 480, device = f64Device() }: { seconds: number; substeps?: number; device?: Device },
) {
  const warnings: string[] = [];
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 2,
    frameRate: 1 / seconds,
    substeps: Math.round(seconds * substeps),
    onWarning: (text) => warnings.push(text),
  });
  simulation.forward();
  const read = async (field: Parameters<typeof simulation.read>[0]) => Array.from(await simulation.read(field));
  const state = {
    w: await read(Link.angularVelocity),
    q: await read(Link.jointOrientation),
    x: await read(Link.translation),
    v: await read(Link.velocity),
  };
  const { dt } = await simulation.stableStep();
  simulation.dispose();
  return { ...state, dt, warnings };
}
const energyOf = (w: Numbers): number => (w[0] ** 2 + 2 * w[1] ** 2 + 3 * w[2] ** 2) / 2;
const distance = (a: Numbers, b: Numbers): number => Math.hypot(...a.map((x, k) => x - b[k]));

it('keeps the energy of a free link of moments 1 : 2 : 3 about its middle axis, wherever its centre is', async () => {
  for (const [speed, seconds] of [
    [30, 2],
    [40, 60],
  ])
    for (const centre of [
      [0, 0, 0],
      [0.3, -0.2, 0.1],
    ]) {
      const w = [0.01, speed, 0];
      // The centre is at rest.
      const velocity = [
        -(w[1] * centre[2]),
        -(w[2] * centre[0] - w[0] * centre[2]),
        w[1] * centre[0] - w[0] * centre[1],
      ];
      const end = await ran(spinning({ centre, angularVelocity: w, velocity }), { seconds });
      expect(Math.abs(energyOf(end.w) / energyOf(w) - 1)).toBeLessThan(1e-10);
      expect(end.warnings).toEqual([]);
      // The origin stays as far from the centre as it was.
      expect(Math.abs(distance(end.x, centre) - Math.hypot(...centre))).toBeLessThan(1e-9);
    }
});

it('moves a free link as the same body of rigid() moves, with several links on fixed joints too', async () => {
  const random = randomNumbers(SEED);
  const draw = () => [random() - 0.5, random() - 0.5, random() - 0.5];
  for (let round = 0; round < 3; round++) {
    const [w, v, c] = [draw().map((x) => 20 * x), draw(), draw()];
    const scene = weightless([articulated({ implicitSpin: true })]);
    const base = scene.add(Link, {
      joint: 'free',
      mass: 1,
      inertia: diagonal([0.5, 0.9, 1.4]),
      angularVelocity: w,
      velocity: v,
    } as never);
    // The same in the middle again, by a link that is turned and away from it.
    scene.add(Link, {
      parent: base,
      joint: 'fixed',
      anchor: c,
      restOrientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      centre: [-c[1], c[0], -c[2]],
      mass: 1,
      inertia: diagonal([1.1, 0.5, 1.6]),
    } as never);
    const body = weightless([rigid({ implicitSpin: true })]);
    body.add(Body, { mass: 2, inertia: diagonal([1, 2, 3]), angularVelocity: w, velocity: v } as never);
    const simulation = await createSimulation(buildModel(body), {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 100,
    });
    simulation.forward();
    const end = await ran(scene, { seconds: 1, substeps: 100 });
    expect(distance(end.q.slice(0, 4), Array.from(await simulation.read(Body.orientation)))).toBeLessThan(1e-10);
    expect(distance(end.x.slice(0, 3), Array.from(await simulation.read(Body.position)))).toBeLessThan(1e-10);
    simulation.dispose();
  }
});

/** A turning base with an arm on a hinge, and one on a ball joint, under gravity. */
function branched(implicitSpin: boolean): Scene {
  const scene = createScene([articulated({ implicitSpin })]);
  const root = scene.add(Link, {
    joint: 'free',
    mass: 1,
    centre: [0.1, 0, 0.05],
    inertia: [0.1, 0.01, 0, 0.01, 0.2, 0, 0, 0, 0.25],
    restOrientation: [0.1, 0.2, 0, 1],
    angularVelocity: [1, 6, -2],
    velocity: [0.2, 1, 0],
  });
  const body = { mass: 0.4, centre: [0.1, 0.05, 0], inertia: diagonal([0.01, 0.02, 0.02]) };
  scene.add(Link, { ...body, parent: root, joint: 'revolute', anchor: [0.2, 0, 0], rate: 1, stiffness: 2 } as never);
  scene.add(Link, { ...body, parent: root, joint: 'ball', anchor: [0, 0.2, 0], angularVelocity: [1, 0, 2] } as never);
  return scene;
}

it('leads to the motion of the explicit term as substeps shorten, where joints move too', async () => {
  const gaps = [];
  for (const substeps of [400, 800, 1600]) {
    const [own, other] = [
      await ran(branched(true), { seconds: 0.5, substeps }),
      await ran(branched(false), { seconds: 0.5, substeps }),
    ];
    gaps.push(distance([...own.q, ...own.w, ...own.x, ...own.v], [...other.q, ...other.w, ...other.x, ...other.v]));
  }
  expect(gaps[0]).toBeLessThan(0.2);
  expect(gaps[0] / gaps[1]).toBeCloseTo(2, 0);
  expect(gaps[1] / gaps[2]).toBeCloseTo(2, 0);
});

it('leaves spheres and links at rest as they are', async () => {
  const still = await ran(spinning({ centre: [0.1, 0.2, 0.3] }), { seconds: 1 });
  expect([...still.w, ...still.q, ...still.x, ...still.v]).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  const ball = await ran(spinning({ inertia: diagonal([2, 2, 2]), angularVelocity: [0, 0, 20] }), { seconds: 1 });
  expect(Math.abs(Math.abs(ball.q[2]) - Math.abs(Math.sin(10)))).toBeLessThan(1e-9);
  expect(ball.warnings).toEqual([]);
});

it('limits the substep to a radian of rotation', async () => {
  const { dt } = await ran(spinning({ angularVelocity: [0, 30, 0] }), { seconds: 1 });
  expect(Math.abs(dt * 30 - 1)).toBeLessThan(1e-5);
});

const rollout = {
  frames: 4,
  frameRate: 20,
  substeps: 8,
  seed: SEED,
  parameters: [
    ...[Link.mass, Link.centre, Link.inertia, Link.anchor, Link.restOrientation, Link.stiffness],
    ...[Link.rate, Link.jointOrientation, Link.angularVelocity, Link.translation, Link.velocity],
  ],
  outputs: [Link.coordinate, Link.jointOrientation, Link.angularVelocity, Link.translation, Link.velocity],
};
it('has derivatives of runs that agree with central differences, through joints that move', () =>
  checkGradients(buildModel(branched(true)), rollout));
const devices = missingAdapter ? (['cpu'] as const) : (['cpu', 'webgpu'] as const);
it.each(devices)('has states and derivatives in single precision that agree with doubles, on %s', async (name) => {
  const device = await selectDevice(name);
  await checkDevices(buildModel(branched(true)), { ...rollout, devices: [device] });
  device.dispose();
});

it('is refused for a free joint on another link, and where another plugin moves joints', () => {
  const scene = branched(true);
  const [root] = scene.entities(Link);
  scene.add(Link, { parent: root, joint: 'free', mass: 1, inertia: diagonal([1, 1, 1]) } as never, 'the drone');
  expect(() => buildModel(scene)).toThrowCode({
    code: 'articulated/implicit-spin-on-a-link',
    field: 'links.parent',
    element: 'the drone',
  });
  expect(() => articulated({ integrator: 'none', implicitSpin: true })).toThrowCode({
    code: 'articulated/option-unused',
    field: 'implicitSpin',
    values: ["'none'"],
  });
});
