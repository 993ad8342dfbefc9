import { sum, sumOfProducts, sumOfSquares } from '@gradsim/base';
import type { Device, Entity, Model, Scene } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Particle, RestPosition } from '@gradsim/particles';
import type { CheckResult } from '../errors.ts';
import { gradientErrors, relativeError } from '../errors.ts';
import type { CaseContent, Fields } from '../fields.ts';
import { array, count, indices, number, optional, parameters, positive, text } from '../fields.ts';

/** Entries shared by all reference cases of particles. */
export interface ParticleCase {
  dt: number;
  steps: number;
  gravity: [number, number, number];
  rest_positions: number[][];
  pinned?: number[];
  parameters: Record<string, number | number[] | number[][]>;
  loss: string;
  weights: number[][];
  expected: {
    loss: number;
    positions: number[][];
    velocities: number[][];
    gradient: Record<string, number | number[] | number[][]>;
  };
}

/** Matches the loss `sum(weights*x_N) + c*mean(v_N^2)`, which some kinds of case continue with further terms. */
const LOSS = /^sum\(weights\*x_N\) \+ ([\d.e-]+)\*mean\(v_N\^2\)/;

/** Returns whether a case was computed with implicit steps: only those name an integrator. */
export const isImplicit = ({ integrator }: CaseContent): boolean => integrator !== undefined;
/** Requires backward Euler, which `@gradsim/implicit` implements, as the integrator. */
export const BACKWARD_EULER = text(/^backward Euler, v' = v \+ dt M\^-1 f\(x \+ dt v', v'\), x' = x \+ dt v'/);

/** Entries of all cases of particles. Kinds of case with further terms in the loss replace `loss`. */
export const PARTICLE_FIELDS: Fields = {
  dt: positive,
  steps: count(),
  gravity: array(3),
  rest_positions: array('particles', 3),
  pinned: optional(indices('particles', 'pinned')),
  loss: text(/^sum\(weights\*x_N\) \+ [\d.e-]+\*mean\(v_N\^2\)$/),
  weights: array('particles', 3),
  'expected.loss': number,
  'expected.positions': array('particles', 3),
  'expected.velocities': array('particles', 3),
  ...parameters({ v0: optional(array('particles', 3)), x0: optional(array('particles', 3)) }),
};

/** Returns the numbers of a parameter in one flat array, whatever its shape. */
export const numbers = (value: number | readonly unknown[] | undefined): number[] =>
  typeof value === 'number' ? [value] : ((value ?? []).flat() as number[]);

/** Expands a parameter to one number for each of `count` elements. */
export const valuesOfAll = (value: number | readonly unknown[] | undefined, count: number): number[] => {
  const all = numbers(value);
  return all.length === 1 ? Array<number>(count).fill(all[0]) : all;
};

/** Adds the particles of a case, with their rest positions and initial velocities; pinned ones never move. */
export function addParticles(scene: Scene, file: ParticleCase): Entity[] {
  const fixed = new Float64Array(file.rest_positions.length);
  for (const k of file.pinned ?? []) fixed[k] = 1;
  const position = file.rest_positions.flat();
  const entities = scene.addMany(Particle, fixed.length, {
    position: numbers(file.parameters.x0 ?? position),
    velocity: file.parameters.v0 === undefined ? undefined : numbers(file.parameters.v0),
    mass: file.parameters.mass === undefined ? undefined : numbers(file.parameters.mass),
    fixed,
  });
  entities.forEach((entity, k) => {
    scene.attach(entity, RestPosition, { restPosition: file.rest_positions[k] });
  });
  return entities;
}

/** Outputs of a run in addition to the particles, with their part of the loss and their expected values. */
export interface MoreOutputs {
  readonly keys: readonly string[];
  /** Computes the part of the loss that depends on these outputs, and its derivative with respect to each. */
  readonly loss: (values: readonly Float64Array[]) => { value: number; seeds: readonly number[][] };
  readonly expected: readonly ArrayLike<number>[];
}

/** A gradient computed from the gradients with respect to several fields. */
export interface Combination {
  readonly keys: readonly string[];
  readonly of: (...gradients: Float64Array[]) => number[];
}

/** Fields of the parameters that all cases of particles have, by their name in the file. */
const COMMON: Readonly<Record<string, string>> = {
  x0: 'particles.position',
  v0: 'particles.velocity',
};

/**
 * Runs a case and compares the final state, the loss and the gradient.
 * @param fields field of each parameter of the file. If the file has one number for all elements, its gradient is the
 * sum over them.
 */
export async function checkParticles(
  file: ParticleCase,
  model: Model,
  device: Device,
  fields: Readonly<Record<string, string | Combination>>,
  more?: MoreOutputs,
): Promise<CheckResult> {
  const wanted = Object.entries(file.expected.gradient).map(([name, value]) => {
    const place = fields[name] ?? COMMON[name];
    const { keys, of } = typeof place === 'string' ? { keys: [place], of: undefined } : place;
    return { name, keys, of, expected: numbers(value) };
  });
  const parameters = [...new Set(wanted.flatMap(({ keys }) => keys))];
  const outputs = ['particles.position', 'particles.velocity', ...(more?.keys ?? [])];
  const simulation = await createSimulation(model, {
    device,
    frames: 2,
    substeps: file.steps,
    frameRate: 1 / (file.dt * file.steps),
    parameters,
    outputs,
  });
  try {
    simulation.forward();
    const [x, v, ...others] = await Promise.all(outputs.map((key) => simulation.read(key)));
    const weights = file.weights.flat();
    const speed = Number(LOSS.exec(file.loss.trim())![1]) / v.length;
    const rest = more?.loss(others);
    const loss = sumOfProducts(x, weights) + speed * sumOfSquares(v) + (rest?.value ?? 0);
    simulation.backward({
      'particles.position': weights,
      'particles.velocity': v.map((c) => 2 * speed * c),
      ...Object.fromEntries((more?.keys ?? []).map((key, k) => [key, rest!.seeds[k]])),
    });
    const byField = new Map<string, Float64Array>();
    for (const key of parameters) byField.set(key, await simulation.gradient(key));
    const { expected } = file;
    const gradients = wanted.map(({ name, keys, of, expected: values }) => {
      const parts = keys.map((key) => byField.get(key)!);
      const got = of?.(...parts) ?? (values.length === 1 ? [sum(parts[0])] : parts[0]);
      return { name, got, expected: values };
    });
    return {
      lossError: relativeError([loss], [expected.loss]),
      stateError: Math.max(
        relativeError(x, expected.positions.flat()),
        relativeError(v, expected.velocities.flat()),
        ...others.map((values, k) => relativeError(values, more!.expected[k])),
      ),
      ...gradientErrors(gradients),
    };
  } finally {
    simulation.dispose();
  }
}
