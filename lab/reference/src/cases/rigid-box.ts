import { sumOfProducts } from '@gradsim/base';
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { caseFormat } from '../case-format.ts';
import type { CheckResult } from '../errors.ts';
import { gradientErrors, relativeError } from '../errors.ts';
import { array, count, number, parameters, positive, text } from '../fields.ts';

interface RigidBoxCase {
  dt: number;
  steps: number;
  half_extents: number[];
  position: number[];
  orientation_unnormalised: number[];
  parameters: {
    density: number;
    v0: number[];
    w0: number[];
    ke: number;
    kd: number;
    kf: number;
    mu: number;
    gravity_y: number;
  };
  /** Formula of the loss, such as `k.x + kq.q + 0.1 v.v + 0.05 w.w`. */
  loss: string;
  k: number[];
  kq: number[];
  expected: {
    loss: number;
    position: number[];
    orientation: number[];
    velocity: number[];
    angular_velocity: number[];
    gradient: Record<string, number | number[]>;
  };
}

/** Reorders a quaternion from (w, x, y, z), as in these files, to (x, y, z, w). */
const fromRealFirst = ([w, x, y, z]: number[]): number[] => [x, y, z, w];

const LOSS = /^k\.x \+ kq\.q \+ ([\d.e-]+) v\.v \+ ([\d.e-]+) w\.w$/;

/** Format of cases of one box on the ground y = 0, simulated by the packages rigid and contact. */
export const rigidBox = caseFormat<RigidBoxCase>({
  matches: (model) => /^one box\b/.test(model),
  fields: {
    dt: positive,
    steps: count(),
    half_extents: array(3),
    position: array(3),
    orientation_unnormalised: array(4),
    ...parameters({
      density: number,
      v0: array(3),
      w0: array(3),
      ke: number,
      kd: number,
      kf: number,
      mu: number,
      gravity_y: number,
    }),
    loss: text(LOSS),
    k: array(3),
    kq: array(4),
    'expected.loss': number,
    'expected.position': array(3),
    'expected.orientation': array(4),
    'expected.velocity': array(3),
    'expected.angular_velocity': array(3),
  },
  check: checkRigidBox,
});

/**
 * Runs a box with contact points at its corners that is thrown onto the ground, and compares the final state, the loss
 * and the gradient.
 */
async function checkRigidBox(file: RigidBoxCase, device: Device): Promise<CheckResult> {
  const p = file.parameters;
  const [speed, spin] = LOSS.exec(file.loss.trim())!.slice(1).map(Number);
  const scene = createScene([rigid(), contact()]);
  const [x, y, z] = file.half_extents;
  const body = scene.add(Body, {
    mesh: box({ size: [2 * x, 2 * y, 2 * z] }),
    density: p.density,
    position: file.position,
    orientation: fromRealFirst(file.orientation_unnormalised),
    velocity: p.v0,
    angularVelocity: p.w0,
  });
  scene.attach(body, contactOf(Body), { ke: p.ke, kd: p.kd, kf: p.kf, mu: p.mu });
  scene.add(HalfSpace, {});
  const names: Record<string, string> = {
    density: 'bodies.density',
    v0: 'bodies.velocity',
    w0: 'bodies.angularVelocity',
    ke: 'bodies.ke',
    kd: 'bodies.kd',
    kf: 'bodies.kf',
    mu: 'bodies.mu',
    gravity_y: 'world.gravity',
  };
  const outputs = ['bodies.position', 'bodies.orientation', 'bodies.velocity', 'bodies.angularVelocity'];
  scene.add(Gravity, { acceleration: [0, p.gravity_y, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device,
    frames: 2,
    substeps: file.steps,
    frameRate: 1 / (file.dt * file.steps),
    parameters: Object.values(names),
    outputs,
  });
  try {
    simulation.forward();
    const [x, q, v, w] = await Promise.all(outputs.map((key) => simulation.read(key)));
    const kq = fromRealFirst(file.kq);
    const loss =
      sumOfProducts(file.k, x) + sumOfProducts(kq, q) + speed * sumOfProducts(v, v) + spin * sumOfProducts(w, w);
    simulation.backward({
      'bodies.position': file.k,
      'bodies.orientation': kq,
      'bodies.velocity': v.map((c) => 2 * speed * c),
      'bodies.angularVelocity': w.map((c) => 2 * spin * c),
    });
    const gradients = await Promise.all(
      Object.entries(file.expected.gradient).map(async ([name, expected]) => {
        const all = await simulation.gradient(names[name]);
        return {
          name,
          got: name === 'gravity_y' ? [all[1]] : all,
          expected: Array.isArray(expected) ? expected : [expected],
        };
      }),
    );
    const { expected } = file;
    return {
      lossError: relativeError([loss], [expected.loss]),
      stateError: Math.max(
        relativeError(x, expected.position),
        relativeError(q, fromRealFirst(expected.orientation)),
        relativeError(v, expected.velocity),
        relativeError(w, expected.angular_velocity),
      ),
      ...gradientErrors(gradients),
    };
  } finally {
    simulation.dispose();
  }
}
