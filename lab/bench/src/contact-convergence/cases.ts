import { ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device, Model } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import type { Bounce } from './bounce.ts';
import { bounce, GRAVITY } from './bounce.ts';

/** One component of a vector field (`axis`), or a scalar field. */
interface Component {
  readonly key: string;
  readonly axis?: number;
}
/**
 * Several objects of one kind that fall onto the ground side by side from different heights, so that they touch it at
 * different points within a substep and errors of derivatives average out.
 */
export interface Case {
  readonly name: string;
  readonly model: Model;
  readonly seconds: number;
  /** Number of substeps of the coarsest run. */
  readonly substeps: number;
  readonly outputs: Readonly<Record<string, Required<Component>>>;
  readonly parameters: Readonly<Record<string, Component>>;
  /** Returns the derivatives of the motion in continuous time. */
  readonly exact: (device: Device) => Promise<Derivatives>;
}
/** Derivatives by `output/parameter`, one value per object. */
type Derivatives = Readonly<Record<string, readonly number[]>>;

/** Number of times that substeps are halved. */
const STEP_HALVINGS = 6;
/** Number of objects, each with its own initial height. */
const THINGS = 8;
/** Height offset of object k, m: fractional parts of multiples of the golden ratio, spread evenly over 0.02 m. */
const raisedTo = (k: number): number => 0.02 * ((k * 0.6180339887) % 1);
const things = Array.from({ length: THINGS }, (_, k) => k);

const MATERIAL = { ke: 2000, kd: 20, kf: 100, mu: 0.1 } as const;
/** Simulated time, s. */
const SECONDS = 0.4;
/** Contact material and initial velocity of the lowest point, m/s. */
type ThrowCase = Omit<Bounce, 'height'>;
const SLIDING_THROW: ThrowCase = { ...MATERIAL, velocity: [2, -1] };
/** Bounce at such a low speed and kf that friction holds the point for nearly the whole contact. */
const HELD_THROW: ThrowCase = { ...MATERIAL, kf: 15, mu: 0.8, velocity: [0.5, -1] };
const heightOf = (k: number): number => 0.2 + raisedTo(k);

/** Convergence of one derivative as the substep is halved. */
export interface Convergence {
  /** Name of the derivative, output/parameter, as in `y'/ke`. */
  readonly derivative: string;
  /** Mean absolute error over the objects, divided by the mean absolute derivative; for each substep, longest first. */
  readonly errors: readonly number[];
  /** Order of convergence: slope of log(error) over log(substep), by least squares. */
  readonly order: number;
}

/** Compares derivatives by adjoints with those of continuous time, for substeps halved {@link STEP_HALVINGS} times. */
export async function convergence(of: Case, device: Device): Promise<Convergence[]> {
  const exact = await of.exact(device);
  const halvings = Array.from({ length: STEP_HALVINGS + 1 }, (_, k) => k);
  const found: Derivatives[] = [];
  for (const k of halvings) found.push(await derivatives(of, of.substeps * 2 ** k, device));
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  return Object.entries(exact).flatMap(([derivative, right]) => {
    const size = mean(right.map(Math.abs));
    // Friction does not act along the normal, and does not depend on kf where it slides.
    if (size === 0) return [];
    const errors = found.map((f) => mean(f[derivative].map((d, k) => Math.abs(d - right[k]))) / size);
    const middle = mean(halvings);
    const order =
      -mean(errors.map((error, k) => Math.log2(error) * (k - middle))) / mean(halvings.map((k) => (k - middle) ** 2));
    return [{ derivative, errors, order }];
  });
}

/** Derivatives by adjoints, simulated with a given number of substeps. */
async function derivatives(
  { model, seconds, outputs, parameters }: Case,
  substeps: number,
  device: Device,
): Promise<Derivatives> {
  const simulation = await createSimulation(model, {
    device,
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
    parameters: [...new Set(Object.values(parameters).map(({ key }) => key))],
    outputs: [...new Set(Object.values(outputs).map(({ key }) => key))],
  });
  const found: Record<string, number[]> = {};
  for (const [output, { key, axis }] of Object.entries(outputs)) {
    simulation.forward();
    simulation.backward({ [key]: things.flatMap(() => [0, 1, 2].map((k) => (k === axis ? 1 : 0))) });
    for (const [name, parameter] of Object.entries(parameters)) {
      const gradient = await simulation.gradient(parameter.key);
      found[`${output}/${name}`] = things.map((k) =>
        parameter.axis === undefined ? gradient[k] : gradient[3 * k + parameter.axis],
      );
    }
  }
  simulation.dispose();
  return found;
}

/** Magnitude of each parameter, by which the step of its central difference is scaled. */
const SIZES: Readonly<Record<string, number>> = {
  ke: MATERIAL.ke,
  kd: MATERIAL.kd,
  kf: HELD_THROW.kf,
  mu: MATERIAL.mu,
  height: 1,
  velocity: 1,
};

/** Derivatives of {@link bounce} by central differences, with a relative error below 1e-7. */
async function exactBounce(thrown: ThrowCase): Promise<Derivatives> {
  const moved: Record<string, (of: Bounce, by: number) => Bounce> = {
    ke: (of, by) => ({ ...of, ke: of.ke + by }),
    kd: (of, by) => ({ ...of, kd: of.kd + by }),
    kf: (of, by) => ({ ...of, kf: of.kf + by }),
    mu: (of, by) => ({ ...of, mu: of.mu + by }),
    height: (of, by) => ({ ...of, height: of.height + by }),
    velocity: (of, by) => ({ ...of, velocity: [of.velocity[0], of.velocity[1] + by] }),
  };
  const found: Record<string, number[]> = {};
  for (const [name, move] of Object.entries(moved)) {
    const step = 1e-5 * SIZES[name];
    const slopes = things.map((k) => {
      const [more, less] = [step, -step].map((by) => bounce(move({ ...thrown, height: heightOf(k) }, by), SECONDS));
      return more.map((value, j) => (value - less[j]) / (2 * step));
    });
    ['x', 'y', "x'", "y'"].forEach((output, j) => {
      found[`${output}/${name}`] = slopes.map((slope) => slope[j]);
    });
  }
  return found;
}

/**
 * Derivatives of the simulated motion by central differences of runs with a given number of substeps, without adjoints.
 */
async function differences(
  { model, seconds, outputs, parameters }: Omit<Case, 'exact'>,
  substeps: number,
  device: Device,
): Promise<Derivatives> {
  const simulation = await createSimulation(model, { device, frames: 2, frameRate: 1 / seconds, substeps });
  const found: Record<string, number[]> = {};
  for (const [name, { key, axis }] of Object.entries(parameters)) {
    const start = model.field(key).values!;
    const step = 1e-4 * SIZES[name];
    const ends = async (by: number): Promise<Record<string, Float64Array>> => {
      simulation.set(
        key,
        Array.from(start, (value, k) => (axis === undefined || k % 3 === axis ? value + by : value)),
      );
      simulation.forward();
      const keys = new Set(Object.values(outputs).map((output) => output.key));
      const read: Record<string, Float64Array> = {};
      for (const output of keys) read[output] = await simulation.read(output);
      return read;
    };
    const [more, less] = [await ends(step), await ends(-step)];
    simulation.set(key, start);
    for (const [output, at] of Object.entries(outputs)) {
      const k = (thing: number): number => 3 * thing + at.axis;
      found[`${output}/${name}`] = things.map(
        (thing) => (more[at.key][k(thing)] - less[at.key][k(thing)]) / (2 * step),
      );
    }
  }
  simulation.dispose();
  return found;
}

const outputsOf = (domain: string): Case['outputs'] => ({
  x: { key: `${domain}.position`, axis: 0 },
  y: { key: `${domain}.position`, axis: 1 },
  "x'": { key: `${domain}.velocity`, axis: 0 },
  "y'": { key: `${domain}.velocity`, axis: 1 },
});
const parametersOf = (domain: string, material: string): Case['parameters'] => ({
  ke: { key: `${material}.ke` },
  kd: { key: `${material}.kd` },
  kf: { key: `${material}.kf` },
  mu: { key: `${material}.mu` },
  height: { key: `${domain}.position`, axis: 1 },
  velocity: { key: `${domain}.velocity`, axis: 1 },
});

/** Particles that bounce once, sliding. */
export const particleCase = (): Case => bouncingParticle('particle', SLIDING_THROW);
/** Particles that bounce once, held by friction. */
export const heldCase = (): Case => bouncingParticle('particle that is held', HELD_THROW);

function bouncingParticle(name: string, thrown: ThrowCase): Case {
  const scene = createScene([particles(), contact()]);
  const thickness = 0.01;
  for (const k of things) {
    const { velocity, ...material } = thrown;
    const particle = scene.add(Particle, {
      position: [0, heightOf(k) + thickness, k],
      velocity: [...velocity, 0],
      mass: 1,
    });
    scene.attach(particle, contactOf(Particle), { ...material, thickness });
  }
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  return {
    name,
    model: buildModel(scene),
    seconds: SECONDS,
    substeps: 200,
    outputs: outputsOf('particles'),
    parameters: parametersOf('particles', 'particles'),
    exact: () => exactBounce(thrown),
  };
}

/** Balls that bounce once, sliding. */
export function ballCase(): Case {
  const scene = createScene([rigid(), contact()]);
  const radius = 0.1;
  const moment = 0.4 * radius ** 2;
  for (const k of things) {
    const body = scene.add(Body, {
      mass: 1,
      inertia: [moment, 0, 0, 0, moment, 0, 0, 0, moment],
      position: [0, heightOf(k) + radius, k],
      velocity: [...SLIDING_THROW.velocity, 0],
    });
    scene.add(ContactSphere, { body, radius, ...MATERIAL });
  }
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  return {
    name: 'ball',
    model: buildModel(scene),
    seconds: SECONDS,
    substeps: 200,
    outputs: outputsOf('bodies'),
    parameters: parametersOf('bodies', 'spheres'),
    exact: () => exactBounce(SLIDING_THROW),
  };
}

/**
 * Sliding boxes that land on a corner, roll over it, and land on it again and then on another. Central differences with
 * substeps an eighth of the shortest compared stand in for continuous time.
 */
export function boxCase(): Case {
  const scene = createScene([rigid(), contact()]);
  const mesh = box({ size: [0.2, 0.2, 0.2] });
  for (const k of things) {
    const body = scene.add(Body, {
      mesh,
      mass: 1,
      position: [0, 0.25 + raisedTo(k), k],
      orientation: [0.32, 0.05, 0.26, 0.91],
      velocity: [0, -1, 0],
    });
    scene.attach(body, contactOf(Body), { ...MATERIAL, kf: 150, mu: 0.05 });
  }
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  const substeps = 200;
  const of = {
    name: 'box on its corner',
    model: buildModel(scene),
    seconds: 0.36,
    substeps,
    outputs: outputsOf('bodies'),
    parameters: parametersOf('bodies', 'bodies'),
  };
  return { ...of, exact: (device) => differences(of, substeps * 2 ** (STEP_HALVINGS + 3), device) };
}
